import type { PolicyTemplate } from './policy-template.ts';

export const TCP: PolicyTemplate = {
  name: 'tcp',
  summary: 'a TCP endpoint for some addresses only',
  endpoint: 'tcp-endpoint',
  policy: `\
# Lets only some networks open TCP connections, such as those of a database.
on_tcp_connect:
  - name: allow the office and the VPN
    actions:
      - type: restrict-ips
        config:
          enforce: true
          allow:
            - 203.0.113.0/24
            - 2001:db8:7::/48
`,
  tests: `\
endpoint: tcp-endpoint
tests:
  - name: the office connects
    connection: { client_ip: 203.0.113.9 }
    expect: { outcome: passed }

  - name: others do not
    connection: { client_ip: 198.51.100.7 }
    expect: { outcome: closed }
`,
};
