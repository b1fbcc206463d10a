// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/http_server.h"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.h"
#include "tests/support/http_client.h"

namespace {

using namespace std::chrono_literals;
using vnpu::sim::HttpContent;
using vnpu::sim::HttpServer;
using vnpu::sim::InputError;
using vnpu::test::bodyOf;
using vnpu::test::httpGet;
using vnpu::test::TcpConnection;

std::optional<HttpContent> answerTo(std::string_view path) {
    if (path == "/broken") {
        throw std::runtime_error("no state");
    }
    return path == "/" ? std::optional(HttpContent{"text/plain", "hello"}) : std::nullopt;
}

/// The answer to a request with these header lines and `Connection: close`.
std::string answered(const HttpServer& server, const std::string& requestLine,
                     const std::string& host, const std::string& more = "") {
    const TcpConnection connection(server.port());
    connection.send(requestLine + "\r\n" + host + more + "Connection: close\r\n\r\n");
    return connection.receive();
}

std::string ownHost(const HttpServer& server) {
    return "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
}

std::string statusOf(const std::string& answer) {
    return answer.substr(0, answer.find('\r'));
}

TEST_SUITE_BEGIN("sim/watch/http_server");

TEST_CASE("a server gives the contents at a path, and for HEAD their header only") {
    const HttpServer server(0, answerTo);
    const std::string answer = httpGet(server.port(), "/?x=1");
    CHECK(statusOf(answer) == "HTTP/1.1 200 OK");
    CHECK(answer.find("Content-Type: text/plain\r\n") != std::string::npos);
    CHECK(answer.find("Content-Length: 5\r\n") != std::string::npos);
    CHECK(answer.find("Cache-Control: no-store\r\n") != std::string::npos);
    CHECK(answer.find("X-Content-Type-Options: nosniff\r\n") != std::string::npos);
    CHECK(answer.find("Access-Control") == std::string::npos);
    CHECK(bodyOf(answer) == "hello");
    const std::string head = answered(server, "HEAD / HTTP/1.1", ownHost(server));
    CHECK(head.find("Content-Length: 5\r\n") != std::string::npos);
    CHECK(bodyOf(head).empty());
}

TEST_CASE("several requests follow each other on one connection") {
    const HttpServer server(0, answerTo);
    const TcpConnection connection(server.port());
    const std::string request = "GET / HTTP/1.1\r\n" + ownHost(server) + "\r\n";
    CHECK(connection.send(request + request));
    CHECK(connection.receiveUntil("hello").find("200 OK") != std::string::npos);
    CHECK(connection.receiveUntil("hello").find("200 OK") != std::string::npos);
    CHECK(connection.send(request));
    CHECK(connection.receiveUntil("hello").find("200 OK") != std::string::npos);
}

TEST_CASE("a server answers to its own names only, so that no other site reaches it by a name") {
    const HttpServer server(0, answerTo);
    const std::string port = std::to_string(server.port());
    const auto status = [&](const std::string& host) {
        return statusOf(answered(server, "GET / HTTP/1.1", host));
    };
    CHECK(status("Host: localhost:" + port + "\r\n") == "HTTP/1.1 200 OK");
    CHECK(status("Host: LocalHost:" + port + "\r\n") == "HTTP/1.1 200 OK");
    for (const std::string& host :
         {std::string("Host: evil.example\r\n"), "Host: evil.example:" + port + "\r\n",
          std::string("Host: 127.0.0.1\r\n"), std::string("Host: 127.0.0.1:1\r\n"),
          "Host: 127.0.0.1:" + port + ".evil.example\r\n", std::string("Host:\r\n"), std::string(),
          ownHost(server) + "Host: evil.example\r\n"}) {
        const std::string answer = status(host);
        CHECK_MESSAGE(answer.find(" 421 ") != std::string::npos, host, answer);
    }
}

TEST_CASE("other methods and paths are refused, and a failed answer is an error") {
    const HttpServer server(0, answerTo);
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"}) {
        const std::string answer =
                answered(server, std::string(method) + " / HTTP/1.1", ownHost(server));
        CHECK_MESSAGE(answer.find(" 405 ") != std::string::npos, method, answer);
        CHECK(answer.find("Allow: GET, HEAD\r\n") != std::string::npos);
    }
    for (const char* path :
         {"/etc/passwd", "/../../etc/passwd", "//", "/%2e%2e/", "http://x/", "*", "/index.html"}) {
        CHECK_MESSAGE(statusOf(httpGet(server.port(), path)).find(" 404 ") != std::string::npos,
                      path);
    }
    const std::string failed = httpGet(server.port(), "/broken");
    CHECK(statusOf(failed) == "HTTP/1.1 500 Internal Server Error");
    CHECK(bodyOf(failed) == "no state\n");
}

TEST_CASE("what is not HTTP, or too long, is refused and the connection ends") {
    const HttpServer server(0, answerTo);
    const std::string longLine(9000, 'x');
    struct Case {
        std::string bytes;
        const char* status;
    };
    const std::vector<Case> cases{
            {"\r\n\r\n hello \r\n\r\n", "400"},
            {std::string("\x16\x03\x01\x00\x00\r\n\r\n", 9), "400"},
            {"GET / HTTP/9.9\r\n\r\n", "400"},
            {"GET /" + longLine + " HTTP/1.1\r\n\r\n", "431"},
            {"GET / HTTP/1.1\r\nX: " + longLine + "\r\n\r\n", "431"},
            {"GET / HTTP/1.1\r\n" + ownHost(server) + "Content-Length: 5\r\n\r\nhello", "4"},
            {"GET / HTTP/1.1\r\n" + ownHost(server) +
                     "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
             "4"},
    };
    for (const Case& each : cases) {
        const TcpConnection connection(server.port());
        connection.send(each.bytes);
        const std::string answer = connection.receive();
        CHECK_MESSAGE(answer.find(std::string("HTTP/1.1 ") + each.status) == 0,
                      each.bytes.substr(0, 40), " -> ", answer);
        CHECK(answer.find("hello") == std::string::npos);
    }
    CHECK(bodyOf(httpGet(server.port(), "/")) == "hello");
}

TEST_CASE("a client that never completes its request loses its connection") {
    const HttpServer server(0, answerTo, {.time = 300ms});
    const TcpConnection silent(server.port());
    const TcpConnection slow(server.port());
    const TcpConnection idle(server.port());
    CHECK(idle.send("GET / HTTP/1.1\r\n" + ownHost(server) + "\r\n"));
    CHECK(idle.receiveUntil("hello").find("200 OK") != std::string::npos);
    // One byte every 50 ms keeps the connection alive, but the whole request still takes too long.
    const auto begin = std::chrono::steady_clock::now();
    while (!slow.isClosed(50ms) && std::chrono::steady_clock::now() - begin < 20s) {
        slow.send("G");
    }
    CHECK(slow.isClosed(20s));
    CHECK(silent.isClosed(20s));
    CHECK(idle.isClosed(20s));
}

TEST_CASE("many clients wait for those before them, and the server stays reachable") {
    const HttpServer server(0, answerTo, {.connections = 4, .time = 500ms});
    std::vector<std::unique_ptr<TcpConnection>> silent;
    for (int i = 0; i < 40; ++i) {
        silent.push_back(std::make_unique<TcpConnection>(server.port()));
    }
    silent.clear();
    CHECK(bodyOf(httpGet(server.port(), "/")) == "hello");
    for (int i = 0; i < 8; ++i) {
        silent.push_back(std::make_unique<TcpConnection>(server.port()));
    }
    CHECK(bodyOf(httpGet(server.port(), "/")) == "hello");
}

TEST_CASE("a client that does not read loses its connection, and others are served meanwhile") {
    const std::string large(std::size_t{32} << 20, 'x');
    constexpr auto kTime = 2s;
    const HttpServer server(0,
                            [&](std::string_view) {
                                return HttpContent{"text/plain", large};
                            },
                            {.time = kTime});
    const TcpConnection deaf(server.port());
    CHECK(deaf.send("GET / HTTP/1.1\r\n" + ownHost(server) + "\r\n"));
    CHECK(bodyOf(httpGet(server.port(), "/")).size() == large.size());
    std::this_thread::sleep_for(2 * kTime);
    const std::string part = deaf.receive();
    CHECK(part.size() < large.size());
}

TEST_CASE("a server ends with open connections, and a taken port is an error with its number") {
    auto server = std::make_unique<HttpServer>(0, answerTo);
    const std::uint16_t port = server->port();
    const TcpConnection open(port);
    CHECK(open.send("GET / HT"));
    CHECK_THROWS_WITH_AS(HttpServer(port, answerTo),
                         doctest::Contains(("--http " + std::to_string(port)).c_str()), InputError);
    server = nullptr;
    CHECK(open.isClosed(20s));
    CHECK(bodyOf(httpGet(HttpServer(port, answerTo).port(), "/")) == "hello");
}

TEST_SUITE_END();

}  // namespace
