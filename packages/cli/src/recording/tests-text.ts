import type { PolicyTests } from '@tollgate/policy';

/** Returns a file of policy tests in YAML. */
export function testsText({ tests, ...file }: PolicyTests, comment: string): string {
  const head = Object.entries(file).map(([name, value]) => `${name}: ${scalar(value)}`);
  const entries = tests.map(test => {
    const [first = '', ...rest] = mapLines(test, '    ');
    return [`  - ${first.trimStart()}`, ...rest].join('\n');
  });
  return `# ${comment}\n${head.join('\n')}\ntests:\n${entries.join('\n\n')}\n`;
}

/** Block mappings, one member on a line; lists and empty mappings in flow style. */
function mapLines(value: object, indent: string): string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const name = /^[a-zA-Z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
    if (typeof member !== 'object' || member === null || Array.isArray(member) || Object.keys(member).length === 0)
      return `${indent}${name}: ${scalar(member)}`;
    return [`${indent}${name}:`, ...mapLines(member, `${indent}  `)];
  });
}

/** JSON is YAML. Strings that need no quotes in any version of YAML go without. */
function scalar(value: unknown): string {
  if (
    typeof value === 'string' &&
    /^[a-zA-Z/][\w/.-]*(?: [\w/.-]+)*$/.test(value) &&
    !RESERVED.has(value.toLowerCase())
  )
    return value;
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Strings that some version of YAML reads as something else. */
const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'yes',
  'no',
  'on',
  'off',
  'null',
  'y',
  'n',
  'nan',
  'inf',
]);
