# SwiftKart's tasks. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test test-sanitize test-vsock conformance compose-test chaos differential fuzz fuzz-http2 soak lint bench generate

help: ## List the tasks.
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

run: ## Bring up the whole mesh with a demo on 127.0.0.1:8080, or as ARGUMENTS for kart up say. Ctrl-C stops it.
	@Scripts/bootstrap.sh
	swift build --configuration release --product kart
	swift build --configuration release --product schedule-service
	swift build --configuration release --product tracker-service
	swift build --configuration release --product gateway
	@exec .build/release/kart up $(ARGUMENTS)

test: ## Run every test.
	@Scripts/bootstrap.sh test
	swift build --build-tests
	swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width 32

test-sanitize: ## Run the tests under the address and the thread sanitizer.
	@Scripts/bootstrap.sh test
	Scripts/test-sanitized.sh address
	Scripts/test-sanitized.sh thread

test-vsock: ## Run the tests of virtual sockets in a user-mode Linux kernel, which has them.
	@Scripts/bootstrap.sh vsock
	swift build --build-tests
	Scripts/with-vsock-kernel.sh "$(abspath .build/debug/swiftkartPackageTests.xctest)" \
	  --testing-library swift-testing --filter VirtualSocketTests

conformance: ## Run the official protobuf conformance suite, which may not fail at all.
	@Scripts/bootstrap.sh conformance
	swift build --product conformance-testee
	Scripts/conformance.sh .build/debug/conformance-testee

compose-test: ## Build the image, and prove the stack of containers with chaos.
	@Scripts/bootstrap.sh compose
	Scripts/with-containers.sh .build/python/bin/python Tests/ComposeTests/compose_test.py

chaos: ## Do to a mesh under load whatever can be done to it, for CHAOS_SECONDS, 1800 by default.
	@Scripts/bootstrap.sh test
	swift build --build-tests
	KART_CHAOS_SECONDS=$${CHAOS_SECONDS:-1800} \
	  swift test --skip-build --disable-xctest --filter MeshChaosTests

differential: ## Compare protobuf with PyPI's on 100,000 random messages.
	@Scripts/bootstrap.sh test
	swift build --product conformance-testee
	Scripts/differential.sh

fuzz: ## Fuzz the readers of messages for FUZZ_SECONDS, 600 by default.
	@Scripts/bootstrap.sh
	swift build --product protoc-gen-swift
	Scripts/fuzz.sh

fuzz-http2: ## Fuzz the server's and the client's connections for FUZZ_SECONDS, 600 by default.
	@Scripts/bootstrap.sh
	Scripts/fuzz-http2.sh

soak: ## Make 1,000,000 calls and 10,000 connections, and watch that memory stays the same.
	@Scripts/bootstrap.sh
	swift build --configuration release --product soak
	.build/release/soak 1000000 10000

lint: ## Check the format, the arrows, that generated files are current, and the systemd units.
	@Scripts/bootstrap.sh
	swift format lint --strict --recursive Examples Package.swift Plugins Sources Tests
	Scripts/check-arrows.sh
	Protos/generate.sh --check
	Scripts/check-units.sh

bench: ## Measure this build beside its peers.
	@Scripts/bootstrap.sh bench
	for product in echo-benchmark protobuf-benchmark kart gateway schedule-service tracker-service; do \
	  swift build --configuration release --static-swift-stdlib --product $$product || exit; \
	done
	swift build --configuration release --static-swift-stdlib --target KartAPI
	@status=0; for benchmark in "$(abspath .build/python/bin/python) Benchmarks/protobuf-speed" \
	  Benchmarks/unary-cpu Benchmarks/calls Benchmarks/memory Benchmarks/allocations \
	  Benchmarks/gateway Benchmarks/mesh; do \
	  $$benchmark || { echo "$$benchmark missed a budget"; status=1; }; \
	done; exit $$status

generate: ## Generate the committed Swift of the runtime's own protos anew.
	@Scripts/bootstrap.sh
	Protos/generate.sh
