// This module is generated: its contracts are linked into Protos, beside their configuration.
