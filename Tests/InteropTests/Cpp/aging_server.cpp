// Echoes bytes with C++ gRPC, and asks its clients for other connections all the time: aging_server ADDRESS AGE
//
// AGE is how old connections grow, in milliseconds. A line says where it listens once it does.
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

class EchoReactor final : public grpc::ServerGenericBidiReactor {
 public:
  EchoReactor() { StartRead(&message_); }

  void OnReadDone(bool ok) override { ok ? StartWrite(&message_) : Finish(grpc::Status::OK); }

  void OnWriteDone(bool ok) override {
    ok ? StartRead(&message_) : Finish(grpc::Status::CANCELLED);
  }

  void OnDone() override { delete this; }

 private:
  grpc::ByteBuffer message_;
};

class EchoService final : public grpc::CallbackGenericService {
  grpc::ServerGenericBidiReactor *CreateReactor(grpc::GenericCallbackServerContext *) override {
    return new EchoReactor;
  }
};

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: aging_server ADDRESS AGE\n");
    return 2;
  }
  EchoService service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(argv[1], grpc::InsecureServerCredentials());
  builder.RegisterCallbackGenericService(&service);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, atoi(argv[2]));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, 60000);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return 1;
  printf("listening on %s\n", argv[1]);
  fflush(stdout);
  server->Wait();
}
