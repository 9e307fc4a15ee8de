// C++ gRPC's side of what `echo-benchmark serve` offers, by its callback API: server ADDRESS.
#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <cstdio>
#include <memory>

#include "echo.grpc.pb.h"
#include "schedule.grpc.pb.h"

using grpc::ByteBuffer;
using grpc::CallbackServerContext;
using grpc::Status;

// The first four bytes of a message, as a number.
static uint32_t count_in(const ByteBuffer &message) {
  grpc::Slice slice;
  if (!message.DumpToSingleSlice(&slice).ok() || slice.size() < 4) return 0;
  const uint8_t *bytes = slice.begin();
  return uint32_t(bytes[0]) << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

class ClientStreamReactor final : public grpc::ServerReadReactor<ByteBuffer> {
 public:
  explicit ClientStreamReactor(ByteBuffer *response) : response_(response) { StartRead(&message_); }

  void OnReadDone(bool ok) override {
    if (!ok) return Finish(Status::OK);
    response_->Swap(&message_);
    StartRead(&message_);
  }

  void OnDone() override { delete this; }

 private:
  ByteBuffer *response_;
  ByteBuffer message_;
};

class ServerStreamReactor final : public grpc::ServerWriteReactor<ByteBuffer> {
 public:
  explicit ServerStreamReactor(const ByteBuffer &message)
      : message_(message), left_(count_in(message)) {
    write_next();
  }

  void OnWriteDone(bool ok) override { ok ? write_next() : Finish(Status::CANCELLED); }

  void OnDone() override { delete this; }

 private:
  void write_next() {
    if (left_ == 0) return Finish(Status::OK);
    left_--;
    StartWrite(&message_);
  }

  ByteBuffer message_;
  uint32_t left_;
};

class BidirectionalReactor final : public grpc::ServerBidiReactor<ByteBuffer, ByteBuffer> {
 public:
  BidirectionalReactor() { StartRead(&message_); }

  void OnReadDone(bool ok) override { ok ? StartWrite(&message_) : Finish(Status::OK); }

  void OnWriteDone(bool ok) override { ok ? StartRead(&message_) : Finish(Status::CANCELLED); }

  void OnDone() override { delete this; }

 private:
  ByteBuffer message_;
};

static grpc::ServerUnaryReactor *echo(CallbackServerContext *context, const ByteBuffer *request,
                                      ByteBuffer *response) {
  *response = *request;
  auto *reactor = context->DefaultReactor();
  reactor->Finish(Status::OK);
  return reactor;
}

using bench::Echo;

class EchoService final
    : public Echo::WithRawCallbackMethod_Unary<
          Echo::WithRawCallbackMethod_ClientStream<Echo::WithRawCallbackMethod_ServerStream<
              Echo::WithRawCallbackMethod_Bidirectional<Echo::Service>>>> {
  grpc::ServerUnaryReactor *Unary(CallbackServerContext *context, const ByteBuffer *request,
                                  ByteBuffer *response) override {
    return echo(context, request, response);
  }

  grpc::ServerReadReactor<ByteBuffer> *ClientStream(CallbackServerContext *,
                                                    ByteBuffer *response) override {
    return new ClientStreamReactor(response);
  }

  grpc::ServerWriteReactor<ByteBuffer> *ServerStream(CallbackServerContext *,
                                                     const ByteBuffer *request) override {
    return new ServerStreamReactor(*request);
  }

  grpc::ServerBidiReactor<ByteBuffer, ByteBuffer> *Bidirectional(CallbackServerContext *) override {
    return new BidirectionalReactor;
  }
};

using swiftkart::schedule::v1::RaceScheduleService;

class ScheduleService final
    : public RaceScheduleService::WithRawCallbackMethod_ListUpcomingRaces<
          RaceScheduleService::Service> {
  grpc::ServerUnaryReactor *ListUpcomingRaces(CallbackServerContext *context,
                                              const ByteBuffer *request,
                                              ByteBuffer *response) override {
    return echo(context, request, response);
  }
};

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: server ADDRESS\n");
    return 2;
  }
  EchoService service;
  ScheduleService schedule;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(argv[1], grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  builder.RegisterService(&schedule);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return 1;
  server->Wait();
}
