import EventLoop

/// What a channel does otherwise when its bytes are encrypted.
extension SocketChannel {
  /// Says the first word, which is the client's.
  func startHandshake(_ tls: TLSSession) {
    receive(UnsafeRawBufferPointer(start: nil, count: 0), through: tls)
  }

  /// Takes bytes off the wire: parts of the handshake, or what the handler gets decrypted.
  func receive(_ bytes: UnsafeRawBufferPointer, through tls: TLSSession) {
    do throws(TLSError) {
      try tls.withInput(bytes) { () throws(TLSError) in
        if state == .handshaking {
          guard try tls.handshake() else { return }
          state = .open
          handler?.channelDidConnect()
        }
        let plaintext = buffers.tls.plaintext
        while state == .open || state == .flushing {
          let count = try tls.read(into: plaintext)
          guard count > 0 else { break }
          handler?.channelDidReceive(UnsafeRawBufferPointer(rebasing: plaintext[..<count]))
        }
      }
    } catch {
      return fail(.insecure(error))
    }
    if tls.isClosedByPeer, state == .open || state == .flushing { return close(.closedByPeer) }
    if tls.hasPending { scheduleFlush() }
  }

  /// Encrypts what the handler gives, and writes it after what TLS itself has to say.
  func flush(through tls: TLSSession) {
    let output = buffers.output
    let wire = buffers.tls.wire
    var mayHaveMore = true
    repeat {
      wire.removeAll()
      tls.takePending(into: wire)
      output.removeAll()
      mayHaveMore = tls.isEstablished && handler?.channelWillWrite(into: output) == true
      guard state != .closed else { return }
      do throws(TLSError) {
        try tls.write(output.bytes, into: wire)
      } catch {
        return close(.insecure(error))
      }
      if !mayHaveMore, state == .flushing { tls.close(into: wire) }
      if wire.count > 0 {
        guard writeAll(wire) else { return }
      }
    } while mayHaveMore
    if state == .flushing { linger() }
  }
}

extension SocketBuffers {
  /// What sockets with TLS need besides.
  final class TLS {
    /// OpenSSL gives a record at a time, of which the largest has 16 KiB.
    let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
    let wire = OutputBuffer(capacity: outputSize + (64 << 10))

    deinit {
      plaintext.deallocate()
    }
  }
}
