// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/slurm/slurm_runner.h"

#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

#include "hw_model/regs/rounding.h"
#include "sim/report/write_report.h"
#include "sim/sweep/content_hash.h"
#include "sim/sweep/slurm/array_folder.h"
#include "sim/sweep/slurm/slurm_commands.h"

namespace vnpu::sim {

namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

/// Keeps a second process from submitting the same points. The system gives it up at the end of
/// this process, however that comes.
class FolderLock {
  public:
    explicit FolderLock(const fs::path& folder)
        : file_(open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        if (!file_.ok()) {
            throw std::runtime_error(
                    fmt::format("can't write in {}: {}", folder.string(), std::strerror(errno)));
        }
        if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            throw std::runtime_error(fmt::format(
                    "{}: another sweep uses this folder, expected one at a time", folder.string()));
        }
    }

  private:
    const android::base::unique_fd file_;
};

/// A word for the shell.
std::string quoted(const std::string& text) {
    std::string word = "'";
    for (const char c : text) {
        word += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return word + "'";
}

class SlurmRun {
  public:
    SlurmRun(const SlurmOptions& options, const std::vector<SweepJob>& jobs,
             const PointStore& store, const JobRunner::Finished& finished)
        : options_(options),
          jobs_(jobs),
          store_(store),
          finished_(finished),
          folder_(fs::absolute(store.folder()).parent_path() / "slurm"),
          slurm_(options.stop) {
        makeOutFolder(folder_);
        lock_.emplace(folder_);
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            points_[jobs[i].hash] = {.job = i};
        }
        for (ArrayFolder& array : ArrayFolder::findIn(folder_)) {
            open_.push_back(OpenArray(std::move(array)));
        }
    }

    bool run() {
        while (!isStopped()) {
            if (const bool isKnown = askSlurm(); isKnown) {
                takeAnswers();
                submit(missing());
            }
            if (unfinished() == 0) {
                close();
                return true;
            }
            if (options_.isDetached) {
                return false;
            }
            sleep();
        }
        return false;
    }

  private:
    struct Point {
        std::size_t job = 0;
        unsigned failures = 0;
        std::string error{};
        bool isWithTask = false;
        bool isFinished = false;
    };

    /// An array some of whose tasks may still compute.
    struct OpenArray {
        explicit OpenArray(ArrayFolder array)
            : folder(std::move(array)), hasEnded(folder.tasks().size(), false) {}

        bool isOpen() const { return std::ranges::find(hasEnded, false) != hasEnded.end(); }

        ArrayFolder folder;
        std::vector<bool> hasEnded;  // of each task
    };

    bool isStopped() const { return options_.stop != nullptr && options_.stop->load(); }

    std::size_t unfinished() const {
        return static_cast<std::size_t>(std::ranges::count_if(
                points_, [](const auto& entry) { return !entry.second.isFinished; }));
    }

    void note(const std::string& text) const {
        if (options_.onNote) {
            options_.onNote(text);
        }
    }

    /// Finds the points that tasks still have, and the failures of tasks that have ended. Returns
    /// false if Slurm does not answer.
    bool askSlurm() {
        std::vector<std::string> names;
        for (const OpenArray& array : open_) {
            if (array.isOpen()) {
                names.push_back(array.folder.name());
            }
        }
        std::vector<SlurmTask> tasks;
        if (!names.empty()) {
            auto answer = slurm_.tasks(names);
            if (!answer) {
                onSilence(answer.error());
                return false;
            }
            tasks = std::move(*answer);
        }
        silence_.clear();
        noteWaiting(tasks);
        stored_ = store_.list();  // after the question: a task that had ended has stored its points
        for (auto& [hash, point] : points_) {
            point.isWithTask = false;
        }
        std::set<std::pair<std::string, std::size_t>> alive;
        for (const SlurmTask& task : tasks) {
            alive.emplace(task.array, task.index);
        }
        for (OpenArray& array : open_) {
            for (std::size_t task = 0; task < array.hasEnded.size(); ++task) {
                if (!array.hasEnded[task]) {
                    visit(array, task, alive.contains({array.folder.name(), task}));
                }
            }
        }
        return true;
    }

    void onSilence(const std::string& error) {
        if (options_.isDetached) {
            throw std::runtime_error(error);
        }
        if (std::exchange(silence_, error) != error && !isStopped()) {
            note(fmt::format("{}; waiting until Slurm answers", error));
        }
    }

    /// While no task runs, prints the reason that Slurm gives for the wait.
    void noteWaiting(const std::vector<SlurmTask>& tasks) {
        const bool isWaiting = !tasks.empty() && std::ranges::none_of(tasks, &SlurmTask::isRunning);
        const std::string reason = isWaiting ? tasks.front().reason : "";
        if (std::exchange(waiting_, reason) != reason && !reason.empty() && reason != "None") {
            note(fmt::format("no task runs, Slurm's reason: {}", reason));
        }
    }

    void visit(OpenArray& array, std::size_t task, bool isAlive) {
        array.hasEnded[task] = !isAlive;
        for (const std::string& hash : array.folder.tasks()[task]) {
            const auto found = points_.find(hash);
            if (found == points_.end() || found->second.isFinished) {
                continue;  // the first: of rows that are not selected now
            }
            if (isAlive) {
                found->second.isWithTask = true;
            } else if (array.folder.isSubmitted() && !store_.find(hash)) {
                ++found->second.failures;
                found->second.error = array.folder.failureOf(task, hash);
            }
        }
    }

    void takeAnswers() {
        for (auto& [hash, point] : points_) {
            if (point.isFinished || isStopped()) {
                continue;
            }
            if (stored_.contains(hash)) {
                if (const std::optional<WorkerAnswer> answer = store_.find(hash)) {
                    finish(point, *answer);
                    continue;
                }
            }
            if (!point.isWithTask && point.failures > options_.retries) {
                finish(point, {.error = point.error});
                hasFailures_ = true;
            }
        }
    }

    void finish(Point& point, const WorkerAnswer& answer) {
        point.isFinished = true;
        finished_(point.job, answer);
    }

    /// Points that no task has, in the order of the sweep. Failed ones wait until all tasks have
    /// ended and go together, so that many failures do not make many arrays.
    std::vector<SweepJob> missing() {
        const bool hasTasks = std::ranges::any_of(open_, &OpenArray::isOpen);
        std::vector<SweepJob> jobs;
        std::size_t again = 0;
        const Point* example = nullptr;
        for (const SweepJob& job : jobs_) {
            const Point& point = points_.at(job.hash);
            if (point.isFinished || point.isWithTask || (point.failures != 0 && hasTasks)) {
                continue;
            }
            jobs.push_back(job);
            if (point.failures != 0) {
                ++again;
                example = example == nullptr ? &point : example;
            }
        }
        if (again != 0 && !isStopped()) {
            note(fmt::format(
                    "{} points failed and are submitted again; the first of them, in its "
                    "run {} of {}: {}",
                    again, example->failures, options_.retries + 1, example->error));
        }
        return jobs;
    }

    void submit(std::span<const SweepJob> jobs) {
        if (jobs.empty() || isStopped()) {
            return;
        }
        const std::size_t chunk =
                options_.chunk != 0 ? options_.chunk : chunkOf(jobs.size(), options_.jobs);
        const ChunkSettings settings{.program = programHash(options_.program),
                                     .store = fs::absolute(store_.folder()),
                                     .jobs = options_.jobs,
                                     .limit = options_.limit};
        while (!jobs.empty()) {
            const std::size_t count = std::min(jobs.size(), chunk * kTasksOfArray);
            const ArrayFolder array =
                    ArrayFolder::create(newFolder(), settings, jobs.first(count), chunk);
            submitArray(array);
            open_.push_back(OpenArray(array));
            jobs = jobs.subspan(count);
        }
    }

    void submitArray(const ArrayFolder& array) {
        const fs::path program = fs::exists(options_.program) && fs::is_symlink(options_.program)
                                         ? fs::read_symlink(options_.program)
                                         : fs::absolute(options_.program);
        const auto number = slurm_.submit(
                {.name = array.name(),
                 .tasks = array.tasks().size(),
                 .mostTasks = options_.mostTasks,
                 .processors = options_.jobs,
                 .folder = fs::current_path(),
                 .log = array.log(),
                 .command = fmt::format("exec {} sweep-chunk {}/chunk_$SLURM_ARRAY_TASK_ID.jsonl",
                                        quoted(program), quoted(array.path())),
                 .arguments = options_.arguments});
        if (!number && isStopped()) {
            return;  // Slurm may have taken it: the folder remains, so that its tasks are found
        }
        if (!number) {
            array.remove(false);
            throw std::runtime_error(number.error());
        }
        array.setSubmitted(*number);
        note(fmt::format("submitted job {} with {} tasks", *number, array.tasks().size()));
    }

    /// The name is that of the job, so it differs from those of all other sweeps of this user.
    fs::path newFolder() const {
        const std::string place = ContentHash().add(folder_.string()).finish().substr(0, 12);
        for (unsigned number = 1;; ++number) {
            fs::path path = folder_ / fmt::format("vnpu_{}_{:04}", place, number);
            if (!fs::exists(path)) {
                return path;
            }
        }
    }

    /// Forgets the arrays: a later run of the sweep tries points that failed again.
    void close() {
        for (const OpenArray& array : open_) {
            array.folder.remove(hasFailures_);
        }
    }

    void sleep() const {
        constexpr std::chrono::milliseconds kStep{50};  // chosen: soon enough for Ctrl-C
        const auto end = steady_clock::now() + options_.interval;
        while (!isStopped() && steady_clock::now() < end) {
            std::this_thread::sleep_for(kStep);
        }
    }

    const SlurmOptions& options_;
    const std::vector<SweepJob>& jobs_;
    const PointStore& store_;
    const JobRunner::Finished& finished_;
    const fs::path folder_;
    const SlurmCommands slurm_;
    std::optional<FolderLock> lock_;
    std::map<std::string, Point> points_;  // by hash
    std::vector<OpenArray> open_;
    std::set<std::string> stored_;
    std::string silence_;  // why Slurm does not answer
    std::string waiting_;  // for what its tasks wait
    bool hasFailures_ = false;
};

}  // namespace

std::size_t chunkOf(std::size_t points, unsigned jobs) {
    return std::max<std::size_t>(jobs, hw::divideUp(points, kTasksOfArray));
}

bool SlurmRunner::run(const std::vector<SweepJob>& jobs, const PointStore& store,
                      const Finished& finished) {
    if (jobs.empty()) {
        return true;
    }
    return SlurmRun(options_, jobs, store, finished).run();
}

}  // namespace vnpu::sim
