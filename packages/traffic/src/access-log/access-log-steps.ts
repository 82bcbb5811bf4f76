import { type LineStep, quoted } from '../record/line-grammar.ts';

/** The fields that {@link scanLine} expects, for reporting where a line breaks the format. */
export const ACCESS_LOG_STEPS: readonly LineStep[] = [
  { expected: 'the address of the client', pattern: /([\w.:[\]%-]*[.:][\w.:[\]%-]*,?|-) /y },
  { expected: 'the identity and the user, such as `- -`', pattern: /(?!["[])((?:[^ [][^ ]* )+)/y },
  {
    expected: 'a time such as `[21/Nov/2026:10:00:00 +0000]`',
    pattern: /\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\] /y,
  },
  quoted('a request in quotes, such as `"GET / HTTP/1.1"`'),
  { expected: 'a status of three digits', pattern: /(\d{3}) /y },
  { expected: 'the size of the response, or `-`', pattern: /(\d+|-)(?: |$)/y },
  {
    expected: 'a referrer and a user agent, both in quotes',
    pattern: /((?!")|"(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*"(?: |$))/sy,
  },
];
