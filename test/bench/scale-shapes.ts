/** A policy of a size; most are lists of that many rules. */
type Shape = (size: number) => string;

/** Distinct words that do not begin alike. */
function word(index: number): string {
  return `w${((index * 2_654_435_761) >>> 0).toString(36)}`;
}

function rules(size: number, ruleAt: (index: number) => string): string {
  return `inbound:\n${Array.from({ length: size }, (_, index) => ruleAt(index)).join('')}`;
}

function ruleOf(condition: string, action = '{ type: deny }'): string {
  return `  - expressions: [${JSON.stringify(condition)}]\n    actions: [${action}]\n`;
}

const conditioned = (conditionAt: (index: number) => string) => (size: number) =>
  rules(size, index => ruleOf(conditionAt(index)));

function network(index: number): string {
  return `${1 + ((index >> 8) % 220)}.${index % 256}.0.0/16`;
}

/** As policies have them, in turn. */
const MIXED: readonly ((index: number) => string)[] = [
  index => `req.Path == '/${word(index)}'`,
  index => `req.Path.startsWith('/${word(index)}/')`,
  index => `req.Path.matches('^/${word(index)}/[0-9]+$')`,
  index => `getReqHeader('User-Agent').exists(agent, agent.contains('${word(index)}'))`,
  index => `inCidrRange(conn.ClientIP, '${network(index)}')`,
  index => `req.Method in ['PUT', 'POST'] && req.Path.startsWith('/api/${word(index)}')`,
  index =>
    `conn.Geo.CountryCode == '${String.fromCharCode(65 + (index % 26), 65 + ((index >> 5) % 26))}' && req.Host == '${word(index)}.example.com'`,
  index => `req.Host.endsWith('.${word(index)}.example.com') && req.ContentLength > ${index}`,
];

/** As allow lists have them that refuse what is not on them. */
const NEGATED: readonly ((index: number) => string)[] = [
  index => `!req.Path.contains('/${word(index)}/')`,
  index => `!req.URL.contains('${word(index)}=')`,
  index => `!req.Host.endsWith('.${word(index)}.example.com')`,
  index => `!req.Path.startsWith('/${word(index)}/')`,
];

const ENDS: readonly string[] = [
  '{ type: deny }',
  '{ type: deny, config: { status_code: 404 } }',
  "{ type: redirect, config: { to: 'https://www.example.com/' } }",
];

function list(size: number, itemAt: (index: number) => string): string {
  return Array.from({ length: size }, (_, index) => itemAt(index)).join(', ');
}

const CHARACTERS = 40;

/** What may grow in a policy, by name. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  'rules, mixed': size =>
    rules(size, index => ruleOf(MIXED[index % MIXED.length]!(index), ENDS[(index >> 3) % ENDS.length])),
  'rules, patterns': conditioned(index => `req.Path.matches('^/${word(index)}/[0-9]+$')`),
  'rules, one key': conditioned(index => `req.Path == '/${word(index)}'`),
  'rules, agents': conditioned(index => `getReqHeader('User-Agent').exists(a, a.contains('${word(index)}'))`),
  'rules, networks': conditioned(index => `inCidrRange(conn.ClientIP, '${network(index)}')`),
  'rules, negated parts of paths': conditioned(index => `!req.Path.contains('/${word(index)}/')`),
  'rules, negated parts of hosts': conditioned(index => `!req.Host.contains('${word(index)}.example')`),
  'rules, negated agents': conditioned(index => `!getReqHeader('User-Agent').exists(a, a.contains('${word(index)}'))`),
  'rules, negated patterns': conditioned(index => `!req.Path.matches('(?i)/${word(index)}/[0-9]')`),
  'rules, negated tests in turn': conditioned(index => NEGATED[index % NEGATED.length]!(index)),
  'rules, many keys': conditioned(index => `'${word(index)}' in req.Headers`),
  'rules, two tests': conditioned(index => `req.Path == '/login' && req.Host == '${word(index)}.example.com'`),
  'rules, size of body': conditioned(index => `req.ContentLength == ${index + 1}`),
  'rules, headers added': size =>
    rules(size, index =>
      ruleOf(`req.Path == '/${word(index)}'`, `{ type: add-headers, config: { headers: { ${word(index)}: 'x' } } }`),
    ),
  'literals of one rule': size => rules(1, () => ruleOf(`req.Path in [${list(size, at => `'/${word(at)}'`)}]`)),
  'alternatives of one rule': size =>
    rules(1, () => ruleOf(Array.from({ length: size }, (_, at) => `req.Path == '/${word(at)}'`).join(' || '))),
  'conditions of one rule': size =>
    rules(1, () => ruleOf(Array.from({ length: size }, (_, at) => `req.Path != '/${word(at)}'`).join(' && '))),
  'expressions of one rule': size =>
    `inbound:\n  - expressions: [${list(size, at => JSON.stringify(`req.Path != '/${word(at)}'`))}]\n    actions: [{ type: deny }]\n`,
  'headers of one action': size =>
    `inbound:\n  - actions: [{ type: add-headers, config: { headers: { ${list(size, at => `${word(at)}: 'x'`)} } } }]\n`,
  'actions of one rule': size =>
    `inbound:\n  - actions: [${list(size, at => `{ type: add-headers, config: { headers: { ${word(at)}: 'x' } } }`)}]\n`,
  'interpolations of one string': size =>
    `inbound:\n  - actions: [{ type: custom-response, config: { status_code: 200, content: '${Array.from({ length: size }, () => `\${req.Path}`).join(' ')}' } }]\n`,
  'length of a string': size =>
    `inbound:\n  - actions: [{ type: custom-response, config: { status_code: 200, content: '${'a '.repeat(size * CHARACTERS)}' } }]\n`,
  'length of a literal': size => rules(1, () => ruleOf(`req.Path == '/${'a'.repeat(size * CHARACTERS)}'`)),
  'nested parentheses': size =>
    rules(1, () => ruleOf(`${'('.repeat(size / 20)}req.Path == '/a'${')'.repeat(size / 20)}`)),
  'nested negations': size =>
    rules(1, () => ruleOf(`${'!('.repeat(size / 20)}req.Path == '/a'${')'.repeat(size / 20)}`)),
  comments: size =>
    rules(size, index => `  # ${word(index)}\n${index % 10 === 0 ? ruleOf(`req.Path == '/${word(index)}'`) : ''}`),
  'suppressions before a rule': size =>
    `inbound:\n${Array.from({ length: size * 5 }, () => '# tollgate-ignore style/* -- meant\n').join('')}  - actions: [{ type: deny }]\n`,
  suppressions: size =>
    `inbound:\n  - actions: [{ type: deny }]\n${Array.from({ length: size * 10 }, () => '# tollgate-ignore style/* -- meant\n').join('')}`,
  documents: size =>
    Array.from({ length: size / 10 }, (_, index) => rules(1, () => ruleOf(`req.Path == '/${word(index)}'`))).join(
      '---\n',
    ),
  'unknown fields': size => rules(size, index => ruleOf(`req.Pat${word(index)} == 'a'`)),
  'syntax errors': size => rules(size, () => ruleOf(`req.Path == == 'a'`)),
  'duplicate keys': size => `inbound:\n  - actions: [{ type: deny, config: { ${list(size, () => 'a: 1')} } }]\n`,
};
