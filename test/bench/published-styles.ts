import type { diceOf } from './analyze-policies.ts';

type Dice = ReturnType<typeof diceOf>;

/** A condition of the modern profile; what is tested differs from rule to rule. */
type Condition = (dice: Dice) => string;

const PATHS = [
  ...['api', 'api/v1', 'api/v2', 'admin', 'admin/users', 'wp-admin', 'wp-content', 'wp-includes', 'login', 'logout'],
  ...[
    'auth',
    'oauth/token',
    'health',
    'healthz',
    'metrics',
    'internal',
    'internal/debug',
    'static',
    'assets',
    'assets/js',
  ],
  ...['img', 'docs', 'graphql', 'webhooks', 'webhooks/github', 'cgi-bin', 'phpmyadmin', '.git', '.env', 'actuator'],
  ...['actuator/env', 'console', 'private', 'uploads', 'search', 'cart', 'checkout', 'account', 'orders', 'reports'],
];
const AGENTS = [
  ...['gptbot', 'claudebot', 'ccbot', 'bytespider', 'perplexitybot', 'sqlmap', 'nikto', 'nmap', 'masscan', 'zgrab'],
  ...[
    'curl',
    'wget',
    'python-requests',
    'go-http-client',
    'java',
    'scrapy',
    'ahrefsbot',
    'semrushbot',
    'mj12bot',
    'dotbot',
  ],
];
const COUNTRIES = ['CN', 'RU', 'KP', 'IR', 'US', 'DE', 'FR', 'GB', 'BR', 'IN', 'UA', 'NL', 'CA', 'AU', 'JP'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT'];
const HEADERS = [
  'authorization',
  'x-api-key',
  'x-forwarded-for',
  'referer',
  'origin',
  'accept-language',
  'x-request-id',
];
const ENDINGS = ['php', 'asp', 'aspx', 'jsp', 'bak', 'sql', 'zip', 'tar.gz', 'env', 'log', 'js', 'css', 'png', 'html'];

function pick<T>(from: readonly T[], dice: Dice): T {
  return from[dice(from.length)]!;
}

function some<T>(from: readonly T[], dice: Dice): readonly T[] {
  return Array.from({ length: 1 + dice(5) }, () => pick(from, dice));
}

function list(texts: readonly string[]): string {
  return `[${texts.map(text => `'${text}'`).join(', ')}]`;
}

/** Most paths differ, and some are the same or within each other. */
function path(dice: Dice): string {
  return dice(3) === 0 ? pick(PATHS, dice) : `${pick(PATHS, dice)}/${dice(10_000).toString(36)}`;
}

function host(dice: Dice): string {
  return `${pick(['www', 'api', 'app', 'admin', 'staging', `t${dice(1000)}`], dice)}.example.${pick(['com', 'org'], dice)}`;
}

function network(dice: Dice): string {
  return `${1 + dice(220)}.${dice(256)}.${dice(256)}.0/${pick([8, 16, 24], dice)}`;
}

/** How conditions of policies are written that people publish, by name. A policy follows one or a few of them. */
const STYLES: Readonly<Record<string, readonly Condition[]>> = {
  'allow lists by negated tests': [
    dice => `!req.url.path.contains('/${path(dice)}/')`,
    dice => `!req.url.path.startsWith('/${path(dice)}')`,
    dice => `!req.url.contains('${path(dice)}')`,
    dice => `!req.url.contains('${pick(PATHS, dice)}=${dice(1000)}')`,
    dice => `!req.host.contains('${host(dice)}')`,
    dice => `!req.host.endsWith('.${host(dice)}')`,
  ],
  'negated paths': [dice => `!req.url.path.contains('/${path(dice)}/')`],
  'negated URLs': [dice => `!req.url.contains('/${path(dice)}')`, dice => `!req.url.path.contains('${path(dice)}')`],
  'negated patterns': [
    dice => `!req.url.path.matches('(?i)${path(dice).replaceAll('.', '[.]')}')`,
    dice => `!req.url.path.matches('^/${path(dice).replaceAll('.', '[.]')}/[0-9]+')`,
  ],
  'negated agents': [
    dice => `!getReqHeader('User-Agent').exists(a, a.lowerAscii().contains('${pick(AGENTS, dice)}${dice(50)}'))`,
    dice => `!req.user_agent.contains('${pick(AGENTS, dice)}${dice(50)}')`,
  ],
  'block lists of paths': [
    dice => `req.url.path.startsWith('/${path(dice)}')`,
    dice => `req.url.path == '/${path(dice)}'`,
    dice => `req.url.path in ${list(some(PATHS, dice).map(one => `/${one}`))}`,
    dice => `req.url.path.endsWith('.${pick(ENDINGS, dice)}')`,
    dice => `req.url.path.contains('${path(dice)}') || req.url.path.contains('/${path(dice)}/')`,
    dice => `req.url.path.matches('(?i)[.](${some(ENDINGS, dice).join('|')})$')`,
    dice => `req.url.path.lowerAscii().contains('${path(dice)}')`,
    dice => `[${list(some(PATHS, dice)).slice(1, -1)}].exists(p, req.url.path.startsWith('/' + p))`,
  ],
  'block lists of agents': [
    dice => `req.user_agent.matches('(?i)(${some(AGENTS, dice).join('|')})')`,
    dice => `getReqHeader('User-Agent').exists(a, a.matches('(?i)(${some(AGENTS, dice).join('|')})'))`,
    dice => `'${pick(AGENTS, dice)}' in req.headers || req.user_agent.lowerAscii().contains('${pick(AGENTS, dice)}')`,
    () => `!hasReqHeader('User-Agent') || req.headers['user-agent'][0] == ''`,
    dice => `req.headers['user-agent'].exists(a, ${list(some(AGENTS, dice))}.exists(b, a.contains(b)))`,
  ],
  'places and networks': [
    dice => `conn.client_ip.geo.location.country_code in ${list(some(COUNTRIES, dice))}`,
    dice => `!(conn.geo.country_code in ${list(some(COUNTRIES, dice))})`,
    dice => `inCidrRange(conn.client_ip, '${network(dice)}')`,
    dice => `!inCidrRanges(conn.client_ip, ${list(Array.from({ length: 1 + dice(20) }, () => network(dice)))})`,
    dice => `conn.client_ip in ${list(some(COUNTRIES, dice).map(() => `10.${dice(256)}.${dice(256)}.${dice(256)}`))}`,
    () => `conn.client_ip.is_on_blocklist || conn.client_ip.categories.exists(c, c == 'tor')`,
  ],
  'requests by parts': [
    dice => `req.method == '${pick(METHODS, dice)}' && req.url.path.startsWith('/${path(dice)}')`,
    dice => `!(req.method in ${list(some(METHODS, dice))})`,
    dice => `req.host == '${host(dice)}'`,
    dice => `req.host == '${host(dice)}' && !req.url.path.startsWith('/${path(dice)}')`,
    dice => `!('${pick(HEADERS, dice)}' in req.headers)`,
    dice => `req.headers['${pick(HEADERS, dice)}'][0] == '${pick(PATHS, dice)}${dice(99)}'`,
    dice => `req.content_length > ${1 + dice(50)} * 1024`,
    dice => `req.url.query.contains('${pick(PATHS, dice)}=')`,
    dice => `'${pick(PATHS, dice)}' in req.url.query_params && req.url.query_params['q'][0].matches('^[0-9]+$')`,
    dice => `req.url.scheme == 'http' || req.url.startsWith('http://${host(dice)}/${path(dice)}')`,
    dice => `req.url.path.split('/')[${1 + dice(3)}] == '${pick(PATHS, dice)}'`,
    dice => `timestamp(time.now).getHours() < ${dice(24)} && req.url.path.startsWith('/${path(dice)}')`,
  ],
};

const ACTIONS: readonly ((dice: Dice) => string)[] = [
  dice => `{ type: deny, config: { status_code: ${400 + dice(5)} } }`,
  dice => `{ type: custom-response, config: { status_code: ${400 + dice(30)}, body: 'no' } }`,
  dice => `{ type: redirect, config: { to: 'https://${host(dice)}/${path(dice)}' } }`,
  dice => `{ type: add-headers, config: { headers: { x-rule: '${dice(1000)}' } } }`,
  dice => `{ type: forward-internal, config: { url: 'https://${pick(PATHS.slice(0, 1), dice)}${dice(99)}.internal' } }`,
  dice => `{ type: url-rewrite, config: { from: '/${path(dice)}/(.*)', to: '/${path(dice)}/$1' } }`,
  dice =>
    `{ type: rate-limit, config: { name: 'r${dice(1000)}', algorithm: sliding_window, capacity: ${1 + dice(100)}, rate: 60s, bucket_key: [conn.client_ip] } }`,
];
/** Most rules of published policies refuse. */
const REFUSING = 2;

/** A policy of the modern profile in one or a few of the styles, and which they are. */
export function publishedPolicy(dice: Dice): {
  readonly text: string;
  readonly styles: string;
  readonly rules: number;
} {
  const names = Object.keys(STYLES);
  const styles = Array.from({ length: pick([1, 1, 2, names.length], dice) }, () => pick(names, dice));
  const rules = 5 + dice(56);
  const denies = dice(2) === 0;
  const written = Array.from({ length: rules }, () => {
    const expressions = Array.from({ length: pick([1, 1, 1, 2, 3], dice) }, () =>
      JSON.stringify(pick(STYLES[pick(styles, dice)]!, dice)(dice)),
    );
    const action = pick(denies || dice(2) === 0 ? ACTIONS.slice(0, REFUSING) : ACTIONS, dice)(dice);
    return `  - expressions: [${expressions.join(', ')}]\n    actions: [${action}]\n`;
  });
  return { text: `on_http_request:\n${written.join('')}`, styles: [...new Set(styles)].sort().join(' and '), rules };
}
