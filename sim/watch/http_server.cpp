// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <exception>
#include <list>
#include <string>
#include <thread>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/start_thread.h"

namespace vnpu::sim {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

/// Whether the Host field names this server: by its address or as localhost, with its port.
bool isOwnName(beast::string_view host, std::uint16_t port) {
    const auto names = [&](const char* name) {
        // A browser leaves the port of HTTP out.
        return beast::iequals(host, fmt::format("{}:{}", name, port)) ||
               (port == 80 && beast::iequals(host, name));
    };
    return names("127.0.0.1") || names("localhost");
}

void refuse(Response& response, http::status status, const std::string& why) {
    response.result(status);
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.body() = why + "\n";
}

void answerTo(std::string_view path, const HttpServer::Answer& answer, Response& response) {
    try {
        if (auto content = answer(path)) {
            response.set(http::field::content_type, content->type);
            response.body() = std::move(content->text);
        } else {
            refuse(response, http::status::not_found, "nothing here");
        }
    } catch (const std::exception& error) {
        refuse(response, http::status::internal_server_error, error.what());
    }
}

Response respond(const Request& request, std::uint16_t port, const HttpServer::Answer& answer) {
    Response response(http::status::ok, 11);
    response.keep_alive(request.keep_alive());
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    const std::string_view target(request.target().data(), request.target().size());
    if (request.count(http::field::host) != 1 || !isOwnName(request[http::field::host], port)) {
        refuse(response, http::status::misdirected_request,
               fmt::format("expected the host 127.0.0.1:{}", port));
    } else if (request.method() != http::verb::get && request.method() != http::verb::head) {
        refuse(response, http::status::method_not_allowed, "expected GET or HEAD");
        response.set(http::field::allow, "GET, HEAD");
    } else {
        answerTo(target.substr(0, target.find('?')), answer, response);
    }
    response.content_length(response.body().size());
    if (request.method() == http::verb::head) {
        response.body().clear();
    }
    return response;
}

}  // namespace

struct HttpServer::Impl {
    /// One client: reads a request, writes the answer, and so on.
    class Connection {
      public:
        Connection(Impl& server, tcp::socket socket)
            : server_(server), stream_(std::move(socket)) {}

        void read() {
            parser_.emplace();
            parser_->header_limit(server_.limits.headerBytes);
            parser_->body_limit(std::uint64_t{0});  // GET and HEAD have none
            stream_.expires_after(server_.limits.time);
            http::async_read(stream_, buffer_, *parser_,
                             [this](error_code error, std::size_t) { onRead(error); });
        }

      private:
        void onRead(error_code error) {
            if (isEndOfPeer(error)) {
                server_.end(*this);
                return;
            }
            if (error) {
                response_ = Response(http::status::bad_request, 11);
                refuse(response_, statusOf(error), error.message());
                response_.keep_alive(false);
                response_.prepare_payload();
            } else {
                response_ = respond(parser_->get(), server_.port(), server_.answer);
            }
            isHead_ = parser_->get().method() == http::verb::head;
            write();
        }

        void write() {
            stream_.expires_after(server_.limits.time);
            serializer_.emplace(response_);
            const auto onWritten = [this](error_code failed, std::size_t) {
                if (failed || !response_.keep_alive()) {
                    error_code ignored;
                    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                    server_.end(*this);
                } else {
                    read();
                }
            };
            if (isHead_) {
                http::async_write_header(stream_, *serializer_, onWritten);
            } else {
                http::async_write(stream_, *serializer_, onWritten);
            }
        }

        /// Whether nobody is there to read an answer.
        static bool isEndOfPeer(error_code error) {
            return error == http::error::end_of_stream || error == http::error::partial_message ||
                   error == beast::error::timeout ||
                   (error && error.category() == asio::error::get_system_category());
        }

        static http::status statusOf(error_code error) {
            if (error == http::error::header_limit || error == http::error::buffer_overflow) {
                return http::status::request_header_fields_too_large;
            }
            if (error == http::error::body_limit) {
                return http::status::payload_too_large;
            }
            return http::status::bad_request;
        }

        Impl& server_;
        beast::tcp_stream stream_;
        beast::flat_buffer buffer_{64 << 10};  // chosen: more than any request within the limits
        std::optional<http::request_parser<http::empty_body>> parser_;
        std::optional<http::response_serializer<http::string_body>> serializer_;
        Response response_;
        bool isHead_ = false;
    };

    Impl(Answer toAnswer, const Limits& ofServer, Routine ofOwner)
        : answer(std::move(toAnswer)), limits(ofServer), routine(std::move(ofOwner)) {}

    std::uint16_t port() const { return acceptor.local_endpoint().port(); }

    void listen(std::uint16_t wanted) {
        error_code error;
        const tcp::endpoint place(asio::ip::address_v4::loopback(), wanted);
        const auto trying = [&](error_code result) {
            if (result) {
                throw InputError(fmt::format("--http {}: {}, expected a free port", wanted,
                                             result.message()));
            }
        };
        acceptor.open(place.protocol(), error);
        trying(error);
        acceptor.set_option(asio::socket_base::reuse_address(true), error);
        acceptor.bind(place, error);
        trying(error);
        acceptor.listen(asio::socket_base::max_listen_connections, error);
        trying(error);
    }

    /// The rest runs on the server's thread.
    void accept() {
        if (isAccepting || connections.size() >= limits.connections) {
            return;
        }
        isAccepting = true;
        acceptor.async_accept([this](error_code error, tcp::socket socket) {
            isAccepting = false;
            if (error == asio::error::operation_aborted) {
                return;
            }
            if (error) {
                pauseAccepting();
                return;
            }
            connections.emplace_back(*this, std::move(socket)).read();
            accept();
        });
    }

    /// Without descriptors, for example, the next try would fail at once.
    void pauseAccepting() {
        timer.expires_after(std::chrono::milliseconds(200));
        timer.async_wait([this](error_code error) {
            if (!error) {
                accept();
            }
        });
    }

    void workOn(std::chrono::steady_clock::time_point time) {
        routine.work();
        // By the time at which it was due, so that the rate does not depend on what the work takes,
        // but with room for answers if it takes long.
        const auto next = std::max(time + routine.interval,
                                   std::chrono::steady_clock::now() + routine.interval / 2);
        clock.expires_at(next);
        clock.async_wait([this, next](error_code error) {
            if (!error) {
                workOn(next);
            }
        });
    }

    void end(const Connection& ended) {
        connections.remove_if([&](const Connection& each) { return &each == &ended; });
        accept();
    }

    const Answer answer;
    const Limits limits;
    const Routine routine;
    asio::io_context context{1};
    tcp::acceptor acceptor{context};
    asio::steady_timer timer{context};
    asio::steady_timer clock{context};  // of the routine
    bool isAccepting = false;
    std::list<Connection> connections;
    std::thread thread;
};

HttpServer::HttpServer(std::uint16_t port, Answer answer, const Limits& limits, Routine routine)
    : impl_(std::make_unique<Impl>(std::move(answer), limits, std::move(routine))) {
    impl_->listen(port);
    impl_->accept();
    if (impl_->routine.work) {
        asio::post(impl_->context, [this] { impl_->workOn(std::chrono::steady_clock::now()); });
    }
    impl_->thread = startThread("the page", [this] { impl_->context.run(); });
}

HttpServer::~HttpServer() {
    impl_->context.stop();
    impl_->thread.join();
}

std::uint16_t HttpServer::port() const {
    return impl_->port();
}

}  // namespace vnpu::sim
