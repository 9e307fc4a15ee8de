// OpenSSL, and what its headers have only as macros, which Swift cannot call.
#ifndef C_OPENSSL_SHIM_H
#define C_OPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static const uint64_t tls_options = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION;
static const unsigned long tls_name_format = XN_FLAG_RFC2253;

static inline int tls_context_set_versions(SSL_CTX *context, int oldest, int newest) {
  return SSL_CTX_set_min_proto_version(context, oldest)
      && SSL_CTX_set_max_proto_version(context, newest);
}

static inline void tls_context_set_mode(SSL_CTX *context, long mode) {
  SSL_CTX_set_mode(context, mode);
}

static inline void tls_context_set_session_cache(SSL_CTX *context, long mode) {
  SSL_CTX_set_session_cache_mode(context, mode);
}

static inline int tls_context_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int tls_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline void tls_set_owner(SSL *ssl, void *owner) { SSL_set_app_data(ssl, owner); }

static inline void *tls_owner(const SSL *ssl) { return SSL_get_app_data(ssl); }

static inline void tls_bio_ask_again(BIO *bio) { BIO_set_retry_read(bio); }

static inline void tls_bio_clear_flags(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline int tls_error_reason(unsigned long error) { return ERR_GET_REASON(error); }

static inline int tls_error_library(unsigned long error) { return ERR_GET_LIB(error); }

static inline int tls_count_names(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline const GENERAL_NAME *tls_name(const GENERAL_NAMES *names, int index) {
  return sk_GENERAL_NAME_value(names, index);
}

static inline int tls_count_certificates(const STACK_OF(X509) *chain) {
  return chain ? sk_X509_num(chain) : 0;
}

static inline X509 *tls_certificate(const STACK_OF(X509) *chain, int index) {
  return sk_X509_value(chain, index);
}

#endif
