/** One mistake in a policy that is right otherwise. */
interface PlantedMistake {
  readonly name: string;
  /** What the message must say. */
  readonly says: string | RegExp;
  /** The error must touch what is marked by `«` and `»`. */
  readonly plant: (rule: RuleText) => string;
}

/** The lines of a rule, from the dash on, without the indentation that its list has. */
interface RuleText {
  readonly action: string;
  readonly config: string;
}

const rule = (expressions: readonly string[], { action, config }: RuleText, name = 'victim'): string =>
  `- name: ${name}\n  expressions:\n${expressions.map(one => `    - ${one}\n`).join('')}  actions:\n    - type: ${action}\n${config}`;

/** A mistake in a condition, in which `S` is a string of the profile. `styles` writes it down. */
interface PlantedExpression {
  readonly name: string;
  readonly says: string | RegExp;
  readonly source: string;
}

/** Mistakes in conditions. `S` stands for a string, `N` for an int. */
export const EXPRESSION_MISTAKES: readonly PlantedExpression[] = [
  { name: 'one equals sign', source: "S «=» 'a'", says: '`==`' },
  { name: 'three equals signs', source: "S «===» 'a'", says: 'write `==`' },
  { name: 'strict inequality', source: "S «!==» 'a'", says: 'write `!=`' },
  { name: 'SQL inequality', source: "S «<>» 'a'", says: 'write `!=`' },
  { name: 'an arrow', source: 'N «=>» 3', says: 'write `>=`' },
  { name: 'a single ampersand', source: "S == 'a' «&» S == 'b'", says: '`&&`' },
  { name: 'a single bar', source: "S == 'a' «|» S == 'b'", says: '`||`' },
  { name: 'and', source: "S == 'a' «and» S == 'b'", says: 'write `&&`' },
  { name: 'OR', source: "S == 'a' «OR» S == 'b'", says: 'write `||`' },
  { name: 'not', source: "«not» S.startsWith('a')", says: 'write `!`' },
  { name: 'not as a function', source: "«not»(S.startsWith('a'))", says: 'write `!a`' },
  { name: 'not in', source: "S «not in» ['a']", says: '!(a in b)' },
  { name: 'IN', source: "S «IN» ['a']", says: 'write `in`' },
  { name: 'is', source: "S «is» 'a'", says: 'write `==`' },
  { name: 'is not', source: "S «is not» 'a'", says: 'write `!=`' },
  { name: 'eq', source: "S «eq» 'a'", says: 'write `==`' },
  { name: 'between', source: 'N «between» 1 and 3', says: 'write `a >= b && a <= c`' },
  { name: 'not between', source: 'N «NOT BETWEEN» 1 AND 3', says: 'write `a < b || a > c`' },
  { name: 'if, then and else', source: "«if» S == 'a' then true else false", says: 'write `a ? b : c`' },
  { name: 'an increment', source: 'N«++» > 3', says: 'write `a + 1`' },
  { name: 'a power', source: 'N «**» 2 > 3', says: 'write `a * a`' },
  { name: 'a default value', source: "S «??» 'a' == 'a'", says: 'write `(has(' },
  { name: 'an assignment', source: "S «:=» 'a'", says: 'write `==`' },
  { name: 'a string in backticks', source: 'S == «`a`»', says: 'quotes' },
  { name: 'like', source: "S «like» 'a%'", says: 'startsWith' },
  { name: 'infix contains', source: "S «contains» 'a'", says: 'a.contains(b)' },
  { name: 'a pattern operator', source: "S «=~» 'a'", says: ".matches('a')" },
  { name: 'typographic double quotes', source: 'S == «“a”»', says: 'straight quotes' },
  { name: 'typographic single quotes', source: 'S == «‘a’»', says: 'straight quotes' },
  { name: 'a semicolon at the end', source: "S == 'a'«;»", says: 'remove it' },
  { name: 'a comma at the end', source: "S == 'a'«,»", says: 'remove it' },
  { name: 'an unclosed string', source: "S == «'a»", says: "`'`" },
  { name: 'an unclosed parenthesis', source: "(S == 'a' || S == 'b'«»", says: 'expected `)`' },
  { name: 'an unclosed call', source: "S.startsWith('a'«»", says: 'expected `)`' },
  { name: 'an unclosed list', source: "S in ['a', 'b'«»", says: 'expected `]`' },
  { name: 'an unmatched parenthesis', source: "S == 'a'«)» || S == 'b'", says: 'remove it' },
  { name: 'a missing operator', source: "S == 'a' «S» == 'b'", says: 'expected an operator' },
  { name: 'a missing operand', source: "S == 'a' &&«»", says: 'expected an expression' },
  { name: 'an unknown escape', source: String.raw`S == 'a«\d»'`, says: /escape/ },
  { name: 'a quoted number', source: "N «> '3'»", says: 'remove the quotes' },
  { name: 'an equal quoted number', source: "N «== '3'»", says: 'remove the quotes' },
  { name: 'a number for a string', source: 'S «== 404»', says: "put quotes around it: `'404'`" },
  { name: 'includes', source: "S.«includes»('a')", says: ".contains('a')`" },
  { name: 'len', source: '«len»(S) > 3', says: 'write `size`' },
  { name: 'length', source: 'S.«length» > 3', says: 'write `size()`' },
  { name: 'toLowerCase', source: "S.«toLowerCase»() == 'a'", says: /write `lower(?:Ascii)?`/ },
  { name: 'hasPrefix', source: "S.«hasPrefix»('a')", says: 'write `startsWith`' },
  { name: 'test', source: "S.«test»('a')", says: 'write `matches`' },
  { name: 'True', source: "«True» || S == 'a'", says: 'write `true`' },
  { name: 'None', source: '«None» == null', says: 'write `null`' },
  { name: 'a method in the wrong case', source: "S.«startswith»('a')", says: '`startsWith`' },
  { name: 'a variable of nginx', source: "«remote_addr» == 'a'", says: /write `conn\.(?:client_ip|ClientIP)`/ },
  { name: 'a variable of another gateway', source: "«ip.src» == 'a'", says: /write `conn\.(?:client_ip|ClientIP)`/ },
];

/** Mistakes in the lines of a rule. */
export const LINE_MISTAKES: readonly PlantedMistake[] = [
  {
    name: 'no colon after a key',
    says: 'missing `:` after `actions`',
    plant: text => rule(['true || false'], text).replace('actions:', '«actions»'),
  },
  {
    name: 'no space after a colon',
    says: 'missing space after `name:`',
    plant: text => rule(['true || false'], text).replace('name: victim', '«name:victim»'),
  },
  {
    name: 'no space after a dash',
    says: 'missing space after `-`',
    plant: text => rule(['true || false'], text).replace('- type', '«-type»'),
  },
  {
    name: 'no dash',
    says: 'must be a list',
    plant: text =>
      rule(['true || false'], text).replace('    - type: ', '      «type: ').replace(text.action, `${text.action}»`),
  },
  {
    name: 'a colon in a name',
    says: 'put quotes around',
    plant: text => rule(['true || false'], text, '«Block: bots»'),
  },
  { name: 'an unclosed double quote', says: 'missing `"`', plant: text => rule(['true || false'], text, '«"victim»') },
  { name: 'an unclosed single quote', says: "missing `'`", plant: text => rule(['true || false'], text, "«'victim»") },
  {
    name: 'an unclosed bracket',
    says: 'missing `]`',
    plant: text => rule([], text).replace('expressions:', "expressions: «['true', 'false'»"),
  },
  {
    name: 'an unclosed brace',
    says: 'missing `}`',
    plant: text =>
      rule(['true || false'], { ...text, config: '' }).replace(
        `- type: ${text.action}`,
        `- «{ type: ${text.action}, config: {}»`,
      ),
  },
  {
    name: 'a tab',
    says: 'tab used for indentation',
    plant: text => rule(['true || false'], text).replace('  actions', '«\t»actions'),
  },
  {
    name: 'one space too few',
    says: 'is indented by',
    plant: text => rule(['true || false'], text).replace('  actions', ' «actions»'),
  },
  {
    name: 'one space too many',
    says: 'is indented by',
    plant: text => rule(['true || false'], text).replace('  actions', '   «actions»'),
  },
  {
    name: 'one space too many before the second key',
    says: 'is indented by',
    plant: text => rule(['true || false'], text).replace('  expressions', '   «expressions»'),
  },
  {
    name: 'an item out of line',
    says: 'is indented by',
    plant: text => rule(['true || false', 'false || true'], text).replace('    - false', '   «-» false'),
  },
  {
    name: 'a duplicate key',
    says: 'duplicate key',
    plant: text => rule(['true || false'], text).replace('  actions', '  «name»: again\n  actions'),
  },
  {
    name: 'a scalar for a list',
    says: 'must be a list',
    plant: text => rule([], text).replace('expressions:', 'expressions: «true || false»'),
  },
  {
    name: 'a list for a map',
    says: 'must be a map',
    plant: text => `${rule(['true || false'], { ...text, config: '' })}      config: «[a]»\n`,
  },
  {
    name: 'a key in the wrong case',
    says: 'did you mean `actions`',
    plant: text => rule(['true || false'], text).replace('actions', '«Actions»'),
  },
  {
    name: 'a misspelt key',
    says: 'did you mean `expressions`',
    plant: text => rule(['true || false'], text).replace('expressions', '«expresions»'),
  },
  {
    name: 'a key of another language',
    says: 'did you mean `expressions`',
    plant: text => rule(['true || false'], text).replace('expressions', '«conditions»'),
  },
  {
    name: 'a key in the singular',
    says: 'did you mean `actions`',
    plant: text => rule(['true || false'], text).replace('actions', '«action»'),
  },
  {
    name: 'a scalar below a key in the singular',
    says: 'did you mean `expressions`',
    plant: text => rule([], text).replace('expressions:', "«expression»: 'true || false'"),
  },
  {
    name: 'an action in the wrong form',
    says: 'did you mean',
    plant: text => rule(['true || false'], text).replace(text.action, `«${text.action.toUpperCase()}»`),
  },
  {
    name: 'an action of another gateway',
    says: 'did you mean `log`',
    plant: text => rule(['true || false'], { ...text, config: '' }).replace(text.action, '«access_log»'),
  },
  {
    name: 'an expression that begins with an exclamation mark',
    says: 'quote the expression',
    plant: text => rule(['«!(true)» && false'], text),
  },
  {
    name: 'a comment in an expression',
    says: 'put quotes around it',
    plant: text => rule(["true || 'a' == 'b «#c'»"], text),
  },
  {
    name: 'an unknown escape in double quotes',
    says: '\\\\d',
    plant: text => rule(['true || false'], text, '"a«\\d»"'),
  },
  {
    name: 'an alias of nothing',
    says: 'no anchor',
    plant: text => rule(['true || false'], text, '«*victim»'),
  },
  {
    name: 'a name that begins with an at sign',
    says: 'put quotes around',
    plant: text => rule(['true || false'], text, '«@victim»'),
  },
  {
    name: 'a carriage return',
    says: 'carriage return',
    plant: text => rule(['true || false'], text).replace('victim', 'victim # a«\r»  '),
  },
  { name: 'a line separator', says: 'U+2028', plant: text => rule(['true || false'], text, 'a«\u2028»b') },
];
