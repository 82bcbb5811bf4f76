import { expect, it } from 'vitest';
import { templateOf } from './completion.ts';

it.each([
  ['deny', 'deny'],
  ['status_code: $1', 'status_code: ${1}'],
  ['status_code: ${1:403}$0', 'status_code: ${1:403}${0}'],
  ['${1|GET,POST|}', '${1:GET}'],
  // CodeMirror has no placeholders with braces: their text stays, and the cursor goes before it.
  ['config: ${1:{"a":"b"}}', 'config: ${1}\\{"a":"b"\\}'],
  ['headers: { $1 }', 'headers: \\{ ${1} \\}'],
  ['"\\${req.host\\}"', '"$\\{req.host\\}"'],
  ['a\\\\b', 'a\\\\b'],
])('the snippet %s is the template %s', (text, template) => {
  expect(templateOf(text)).toBe(template);
});
