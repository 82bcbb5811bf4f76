/** A certificate for 127.0.0.1 that nobody has signed but itself. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUSROFb+stS5+JI/y0n88FkI9KIaYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMjIxMjUzMloYDzIxMjYxMDI5
MjEyNTMyWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATH+x2nmsrsckralS9AcayJE+npSHkyU/LbAWLiWa4w1PcU/sFYkb5y
L+qRtrJ5L+jSWbvDVztvScSgvfuPiAl5o1MwUTAdBgNVHQ4EFgQU6GftxP8knPX8
yt/g4naqjXRSUDswHwYDVR0jBBgwFoAU6GftxP8knPX8yt/g4naqjXRSUDswDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAuuttdF3KWagyf23mDcf1
JedjJcegxcZyr5rEZneicnwCICH0flpxoeqm8QoeAnYgzEDY2WVNSpDcN5zlFowd
/TQM
-----END CERTIFICATE-----
`;

/** Its private key, which protects nothing. */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguOFgEAnULhVXTkNl
unnJICRUJSfoOywy8yUgLI9IDXmhRANCAATH+x2nmsrsckralS9AcayJE+npSHky
U/LbAWLiWa4w1PcU/sFYkb5yL+qRtrJ5L+jSWbvDVztvScSgvfuPiAl5
-----END PRIVATE KEY-----
`;
