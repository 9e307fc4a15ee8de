// C++ protobuf's side of `protobuf-speed`: benchmark FOLDER SECONDS measures the messages in FOLDER
// and prints CASE, OPERATION, NANOSECONDS, BYTES and ALLOCATIONS.
#include <dlfcn.h>
#include <google/protobuf/util/json_util.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "protobuf_benchmark.pb.h"

static long allocations() {
  static auto counter = reinterpret_cast<long (*)()>(dlsym(RTLD_DEFAULT, "counted_allocations"));
  return counter ? counter() : 0;
}

static double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void run(const char *name, const char *operation, size_t bytes, double seconds,
                const std::function<size_t()> &body) {
  volatile size_t sum = body();
  long before = allocations();
  sum = sum + body();
  long allocated = allocations() - before;
  for (long iterations = 1;; ) {
    double start = cpu_seconds();
    for (long i = 0; i < iterations; i++) sum = sum + body();
    double elapsed = cpu_seconds() - start;
    if (elapsed >= seconds) {
      printf("%s\t%s\t%f\t%zu\t%ld\n", name, operation, elapsed / iterations * 1e9, bytes,
             allocated);
      return;
    }
    iterations *= elapsed * 4 < seconds ? 4 : 2;
  }
}

template <typename Message>
static void measure(const std::string &folder, const char *name, double seconds) {
  std::ifstream file(folder + "/" + name + ".bin", std::ios::binary);
  std::string binary((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Message message;
  if (!message.ParseFromString(binary)) abort();
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(message, &json).ok()) abort();
  run(name, "encode", binary.size(), seconds, [&] {
    std::string out;
    message.SerializeToString(&out);
    return out.size();
  });
  run(name, "decode", binary.size(), seconds, [&] {
    Message fresh;
    return static_cast<size_t>(fresh.ParseFromString(binary));
  });
  run(name, "json-encode", json.size(), seconds, [&] {
    std::string out;
    (void)google::protobuf::util::MessageToJsonString(message, &out).ok();
    return out.size();
  });
  run(name, "json-decode", json.size(), seconds, [&] {
    Message fresh;
    return static_cast<size_t>(google::protobuf::util::JsonStringToMessage(json, &fresh).ok());
  });
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  std::string folder = arguments[1];
  double seconds = atof(arguments[2]);
  measure<swiftkart::benchmark::KartLocations>(folder, "locations", seconds);
  measure<swiftkart::benchmark::ListRacesResponse>(folder, "races", seconds);
  measure<swiftkart::benchmark::Tree>(folder, "tree", seconds);
  measure<swiftkart::benchmark::Blob>(folder, "blob", seconds);
}
