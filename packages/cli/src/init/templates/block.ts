import type { PolicyTemplate } from './policy-template.ts';

export const BLOCK: PolicyTemplate = {
  name: 'block',
  summary: 'blocking of bots and countries',
  endpoint: 'http-endpoint',
  policy: `\
# Keeps out scanners, crawlers of language models, and countries that you do not serve.
on_http_request:
  - name: turn scanners away
    expressions:
      - req.url.path.matches('(?i)[.](php|env)$|^/([.]git|wp-admin|cgi-bin)(/|$)')
    actions:
      - type: deny
        config:
          status_code: 404

  - name: keep crawlers of language models out
    expressions:
      - req.url.path != '/robots.txt'
      - "'user-agent' in req.headers"
      - req.headers['user-agent'].exists(agent, agent.matches('(?i)(gptbot|claudebot|ccbot|bytespider)'))
    actions:
      - type: deny
        config:
          status_code: 403

  - name: serve some countries only
    expressions:
      - "!(conn.geo.country_code in ['US', 'CA', 'MX'])"
    actions:
      - type: custom-response
        config:
          status_code: 451
          headers:
            content-type: text/plain
          body: not available in your country
`,
  tests: `\
tests:
  - name: scanners find nothing
    request: { url: /wp-admin/setup.php }
    expect: { outcome: denied, status: 404 }

  - name: crawlers of language models are denied
    request: { url: /books, headers: { User-Agent: GPTBot/1.1 } }
    expect: { outcome: denied, status: 403 }

  - name: crawlers may read robots.txt
    request: { url: /robots.txt, headers: { User-Agent: GPTBot/1.1 } }
    expect:
      rules: { keep crawlers of language models out: not-matched }
`,
};
