/** Numbers from 0 up to a bound, the same for the same seed (mulberry32). */
type Dice = (below: number) => number;

export function diceOf(seed: number): Dice {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Conditions as policies have them; names and numbers in them differ from rule to rule. */
const CONDITIONS: readonly ((word: string, number: number) => string)[] = [
  word => `req.Path.startsWith('/${word}/')`,
  word => `req.Method == "POST" && req.Path == "/${word}"`,
  (word, number) => `"req.Host in ['${word}.example.com', 'www${number}.example.com']"`,
  word => `conn.Geo.CountryCode in ['CN', 'RU', 'KP'] && !req.Path.contains('${word}')`,
  word => `getReqHeader('User-Agent').exists(agent, agent.matches('(?i)(${word}|bot|spider)'))`,
  word => `"!hasReqHeader('X-${canonical(word)}') || req.Headers['X-${canonical(word)}'][0] == ''"`,
  (word, number) => `req.ContentLength > ${number} && req.URL.contains("${word}=")`,
  (word, number) =>
    `>-\n          req.Params['${word}'].size() > ${number % 9} ||\n          req.Path.endsWith('.${word}')`,
  (word, number) =>
    `'inCidrRange(conn.ClientIP, "${20 + (number % 70)}.${number % 256}.0.0/16") || req.Protocol == "${word}"'`,
];

/** As names of headers are written. */
function canonical(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

const ACTIONS: readonly ((word: string, number: number) => string)[] = [
  (_, number) => `type: deny\n        config:\n          status_code: ${400 + (number % 100)}`,
  word => `type: log\n        config:\n          metadata:\n            reason: ${word}\n            rank: 5`,
  word =>
    `type: add-headers\n        config:\n          headers:\n            X-Rule: ${word}\n            X-By: 'edge'`,
  (word, number) =>
    `type: custom-response\n        config:\n          status_code: ${200 + (number % 300)}\n          content: "no ${word}, sorry"`,
  word => `type: url-rewrite\n        config:\n          from: ^(.*)/${word}/(.*)$\n          to: $1/v2/$2`,
  word => `type: redirect\n        config: {from: 'http://${word}', to: 'https://${word}', status_code: 301}`,
];

/** A policy in YAML, as people write them. */
export function policyText(rules: number, dice: Dice): string {
  const written = Array.from({ length: rules }, (_, index) => ruleText(index, dice));
  return `# A policy for measurements\ninbound:\n${written.join('')}`;
}

function ruleText(index: number, dice: Dice): string {
  const pick = (from: readonly ((word: string, number: number) => string)[]) =>
    from[dice(from.length)]!(`w${dice(1_000_000).toString(36)}`, dice(1_000_000));
  const conditions = Array.from({ length: 1 + dice(2) }, () => `      - ${pick(CONDITIONS)}\n`);
  const expressions = `    expressions:\n${conditions.join('')}`;
  return `  - name: rule ${index}\n${expressions}    actions:\n      - ${pick(ACTIONS)}\n`;
}
