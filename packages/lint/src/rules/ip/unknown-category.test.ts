import { ADDRESS_CATEGORIES } from '@tollgate/catalog';
import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNKNOWN_CATEGORY } from './unknown-category.ts';

const policy = (condition: string) => when(condition, { phase: 'on_http_request' });

const EVERY_LEVEL = ADDRESS_CATEGORIES.flatMap(id => {
  const words = id.split('.');
  return words.map((_, index) => words.slice(0, index + 1).join('.'));
});

testRule(it, UNKNOWN_CATEGORY, {
  fires: Object.fromEntries(
    [
      ['com.perplexity', '; did you mean `ai.perplexity`?'],
      ['proxy.anonymous.vpn', '; did you mean `proxy.vpn`?'],
      ['tor.exit', '; did you mean `proxy.anonymous.tor`?'],
      ['vpn', '; did you mean `proxy.vpn`?'],
      ['com.algolia.crawler', '; did you mean `com.algolia.crawer`?'],
      ['blocklist.org.spamhouse', '; did you mean `blocklist.org.spamhaus`?'],
      ['blocklist.de.blocklist', '; did you mean `blocklist.blocklist_de`?'],
      ['blocklist.de.blocklist.all', '; did you mean `blocklist.blocklist_de`?'],
      ['blocklist.de.blocklist.ssh', '; did you mean `blocklist.blocklist_de.ssh`?'],
      ['blocklist.co.greensnow', '; did you mean `blocklist.greensnow_co`?'],
      ['blocklist.com.stopforumspam.toxic_ips', '; did you mean `blocklist.stopforumspam`?'],
      ['blocklist.org.firehol.level_1', '; did you mean `blocklist.firehol_org.level_1`?'],
      ['org.firehol.webserver', '; did you mean `blocklist.firehol_org.webserver`?'],
      ['proxy.anonymous.org.firehol', '; did you mean `proxy.anonymous.firehol_org`?'],
      ['com.acme-widgets', '; use one of the published ids'],
    ].map(([id, hint]) => [
      `for \`${id}\``,
      {
        policy: policy(`«'${id}'» in conn.client_ip.categories || «"${id}"» in conn.server_ip.categories`),
        profile: 'modern' as const,
        message: `unknown IP category \`${id}\`: no address is in it${hint}`,
      },
    ]),
  ),
  silent: {
    'for every published id and every prefix of one at a dot': {
      policy: policy(EVERY_LEVEL.map(id => `'${id}' in conn.client_ip.categories`).join(' || ')),
      profile: 'modern',
    },
    'for ids and their parent levels': {
      policy: policy(
        "'com' in conn.client_ip.categories || 'com.github' in conn.client_ip.categories || 'proxy' in conn.client_ip.categories || " +
          "'com.openai.gptbot.ipv4' in conn.client_ip.categories || 'net.zscaler.cenr.continent' in conn.client_ip.categories",
      ),
      profile: 'modern',
    },
    'for other lists': { policy: policy("'tor' in req.headers['x-list']"), profile: 'modern' },
  },
});
