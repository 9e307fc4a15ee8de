/// The identity of a server in tests, by which it is known where TLS is to be tried and no other identity is at hand.
///
/// Everyone has the key: it protects nothing.
package enum TestCredentials {
  /// The authority that the server's certificate comes from, in PEM.
  package static let authority = """
    -----BEGIN CERTIFICATE-----
    MIIBdTCCARugAwIBAgIBATAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZJbnRlcm9w
    IHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
    WjAhMR8wHQYDVQQDDBZJbnRlcm9wIHRlc3QgYXV0aG9yaXR5MFkwEwYHKoZIzj0C
    AQYIKoZIzj0DAQcDQgAEKz3ElU1UqVCvpFyWfcijkhoesfj1pjBNHqUn8aewknUa
    gMWY41UyV0fD+oVaJGAvfSwW9bru5pwcWPtTd7nhaqNCMEAwDwYDVR0TAQH/BAUw
    AwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFMRvZkaveWx+O/wo1rt+yQR9
    Dj1rMAoGCCqGSM49BAMCA0gAMEUCIQCHWHvrqHg8BatrTFSd6LAgGj7inRV3krks
    knGgXYTcFQIgPOMxeMbUpYP3Ql0Nqp7AvMOWmgdPamMeA76VUG7NnBo=
    -----END CERTIFICATE-----

    """

  /// The certificate of a server called `localhost`, `*.test.google.fr` or `interop.test`, in PEM.
  package static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBwzCCAWmgAwIBAgIBAjAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZJbnRlcm9w
    IHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
    WjAeMRwwGgYDVQQDDBNJbnRlcm9wIHRlc3Qgc2VydmVyMFkwEwYHKoZIzj0CAQYI
    KoZIzj0DAQcDQgAEcPrlEN+hDhmSNwTNadSF4+HNECgHyCGOXqdFU9tQj1WCflN3
    +Iy13hqJsqzrwO4PysosSVUG69MZUwtfJMo206OBkjCBjzBMBgNVHREERTBDggls
    b2NhbGhvc3SCECoudGVzdC5nb29nbGUuZnKCDGludGVyb3AudGVzdIcEfwAAAYcQ
    AAAAAAAAAAAAAAAAAAAAATAJBgNVHRMEAjAAMBMGA1UdJQQMMAoGCCsGAQUFBwMB
    MB8GA1UdIwQYMBaAFMRvZkaveWx+O/wo1rt+yQR9Dj1rMAoGCCqGSM49BAMCA0gA
    MEUCIGW2kCSkHCKN1MG4lxmpSwrpz+RfkU+fffZCZHYQTQC8AiEAoKygbNctOn/q
    m3XzdfPsAtj7i8kSS8GVWtimL4JZEuc=
    -----END CERTIFICATE-----

    """

  /// The certificate's private key, in PEM.
  package static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgE7j1brX1KicXmJIA
    QHZXiR3aIthG6dvKToAOG60ahqChRANCAARw+uUQ36EOGZI3BM1p1IXj4c0QKAfI
    IY5ep0VT21CPVYJ+U3f4jLXeGomyrOvA7g/KyixJVQbr0xlTC18kyjbT
    -----END PRIVATE KEY-----

    """
}
