import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { UNKNOWN_CATEGORY } from './unknown-category.ts';

const policy = (condition: string) => when(condition, { phase: 'on_http_request' });

testRule(it, UNKNOWN_CATEGORY, {
  fires: Object.fromEntries(
    [
      ['com.perplexity', '; did you mean `ai.perplexity`?'],
      ['proxy.anonymous.vpn', '; did you mean `proxy.vpn`?'],
      ['tor.exit', '; did you mean `proxy.anonymous.tor`?'],
      ['vpn', '; did you mean `proxy.vpn`?'],
      ['com.algolia.crawler', '; did you mean `com.algolia.crawer`?'],
      ['blocklist.org.spamhouse', '; did you mean `blocklist.org.spamhaus`?'],
      ['com.acme-widgets', '; take one of the published ids'],
    ].map(([id, hint]) => [
      `for \`${id}\``,
      {
        policy: policy(`«'${id}'» in conn.client_ip.categories || «"${id}"» in conn.server_ip.categories`),
        profile: 'modern' as const,
        message: `no address is in the category \`${id}\`, as far as they are published${hint}`,
      },
    ]),
  ),
  silent: {
    'for ids and the levels above them': {
      policy: policy(
        "'com' in conn.client_ip.categories || 'com.github' in conn.client_ip.categories || 'proxy' in conn.client_ip.categories || " +
          "'com.openai.gptbot.ipv4' in conn.client_ip.categories || 'net.zscaler.cenr.europe' in conn.client_ip.categories",
      ),
      profile: 'modern',
    },
    'for other lists': { policy: policy("'tor' in req.headers['x-list']"), profile: 'modern' },
  },
});
