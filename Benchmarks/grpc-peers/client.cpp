// C++ gRPC's side of `echo-benchmark call`, by its callback API, with the same cases and output:
// client TARGET CASE CONCURRENCY COUNT PAYLOAD runs a round for each line on standard input, and
// prints its seconds and the median of a call's or a message's microseconds.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using grpc::ByteBuffer;
using grpc::ClientContext;
using grpc::Status;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string target, name;
  int concurrency;
  long count;
  size_t payload;
};

static std::unique_ptr<grpc::GenericStub> stub;

static double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

static ByteBuffer message_of(size_t size, uint32_t count) {
  std::string bytes(size, 'x');
  for (size_t i = 0; i < 4 && i < size; i++) bytes[i] = char(count >> (24 - 8 * i));
  grpc::Slice slice(bytes);
  return ByteBuffer(&slice, 1);
}

static void check(const Status &status) {
  if (status.ok()) return;
  fprintf(stderr, "client: %s\n", status.error_message().c_str());
  exit(1);
}

// One of those who make calls, or have a stream, at the same time.
class Worker {
 public:
  Worker(const Options &options, std::latch &done)
      : share_(options.count / options.concurrency), done_(done) {
    latencies_.reserve(share_);
  }
  virtual ~Worker() = default;

  virtual void start() = 0;

  std::vector<float> latencies_;

 protected:
  long share_;
  std::latch &done_;
  Clock::time_point began_;
};

class UnaryWorker final : public Worker {
 public:
  UnaryWorker(const Options &options, std::latch &done)
      : Worker(options, done), request_(message_of(options.payload, 0)) {}

  void start() override {
    context_.emplace();
    began_ = Clock::now();
    stub->UnaryCall(&*context_, "/bench.Echo/Unary", {}, &request_, &response_, [this](Status status) {
      check(status);
      latencies_.push_back(microseconds_since(began_));
      if (--share_ > 0) {
        start();
      } else {
        done_.count_down();
      }
    });
  }

 private:
  std::optional<ClientContext> context_;
  ByteBuffer request_, response_;
};

class StreamWorker : public Worker, public grpc::ClientBidiReactor<ByteBuffer, ByteBuffer> {
 public:
  StreamWorker(const Options &options, std::latch &done, const char *method, uint32_t replies)
      : Worker(options, done), request_(message_of(options.payload, replies)) {
    stub->PrepareBidiStreamingCall(&context_, method, {}, this);
  }

  void OnDone(const Status &status) override {
    check(status);
    done_.count_down();
  }

 protected:
  ClientContext context_;
  ByteBuffer request_, response_;
};

class PingPongWorker final : public StreamWorker {
 public:
  PingPongWorker(const Options &options, std::latch &done)
      : StreamWorker(options, done, "/bench.Echo/Bidirectional", 0) {}

  void start() override {
    send();
    StartCall();
  }

  void OnWriteDone(bool ok) override {
    if (ok) StartRead(&response_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    latencies_.push_back(microseconds_since(began_));
    if (--share_ > 0) {
      send();
    } else {
      StartWritesDone();
    }
  }

 private:
  void send() {
    began_ = Clock::now();
    StartWrite(&request_);
  }
};

class ServerStreamWorker final : public StreamWorker {
 public:
  ServerStreamWorker(const Options &options, std::latch &done)
      : StreamWorker(options, done, "/bench.Echo/ServerStream",
                     uint32_t(options.count / options.concurrency)) {}

  void start() override {
    began_ = Clock::now();
    StartWriteLast(&request_, {});
    StartRead(&response_);
    StartCall();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    Clock::time_point now = Clock::now();
    latencies_.push_back(std::chrono::duration<float, std::micro>(now - began_).count());
    began_ = now;
    StartRead(&response_);
  }
};

class ClientStreamWorker final : public StreamWorker {
 public:
  ClientStreamWorker(const Options &options, std::latch &done)
      : StreamWorker(options, done, "/bench.Echo/ClientStream", 0) {}

  void start() override {
    send();
    StartRead(&response_);
    StartCall();
  }

  void OnWriteDone(bool ok) override {
    if (!ok) return;
    latencies_.push_back(microseconds_since(began_));
    if (--share_ > 0) send();
  }

 private:
  void send() {
    began_ = Clock::now();
    if (share_ == 1) {
      StartWriteLast(&request_, {});
    } else {
      StartWrite(&request_);
    }
  }
};

static std::unique_ptr<Worker> make_worker(const Options &options, std::latch &done) {
  if (options.name == "unary") return std::make_unique<UnaryWorker>(options, done);
  if (options.name == "ping-pong") return std::make_unique<PingPongWorker>(options, done);
  if (options.name == "server-stream") return std::make_unique<ServerStreamWorker>(options, done);
  if (options.name == "client-stream") return std::make_unique<ClientStreamWorker>(options, done);
  fprintf(stderr, "client: there is no case %s\n", options.name.c_str());
  exit(2);
}

static void run(const Options &options) {
  std::latch done(options.concurrency);
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < options.concurrency; i++) workers.push_back(make_worker(options, done));
  Clock::time_point began = Clock::now();
  for (auto &worker : workers) worker->start();
  done.wait();
  double seconds = microseconds_since(began) / 1e6;
  std::vector<float> latencies;
  for (auto &worker : workers)
    latencies.insert(latencies.end(), worker->latencies_.begin(), worker->latencies_.end());
  std::nth_element(latencies.begin(), latencies.begin() + latencies.size() / 2, latencies.end());
  printf("%f %f\n", seconds, latencies[latencies.size() / 2]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: client TARGET CASE CONCURRENCY COUNT PAYLOAD\n");
    return 2;
  }
  Options options{argv[1], argv[2], atoi(argv[3]), atol(argv[4]), size_t(atol(argv[5]))};
  stub = std::make_unique<grpc::GenericStub>(
      grpc::CreateChannel(options.target, grpc::InsecureChannelCredentials()));
  for (std::string line; std::getline(std::cin, line);) run(options);
}
