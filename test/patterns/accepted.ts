// Regular expressions that may take more than linear time, each with the reason why that is accepted.

const STICKY = 'tried at one position only: the lexer sets where it starts, and it is linear from there';
const COMMAND = 'reads an argument, a path or a file that the user of the command names, or a message of its own';
const OWN = 'reads a path, an address, digits or a line that this program made';
const LINE = 'reads one line of a recorded log: quadratic in one field of that line';
const CURSOR = 'reads one line, or one expression up to the cursor, when an editor asks';
const PASTED = 'reads one line of a request that is pasted into the playground, where a job can be stopped';
const FIELD = 'reads one field of a request to the service: quadratic in that field, and bodies are limited';
const DOCUMENT =
  'reads one line or one string of a policy or its settings: quadratic in that string (one is cubic), and documents are limited in size';

/** By the regular expression as written. */
export const ACCEPTED: Readonly<Record<string, string>> = {
  '/ recorded as "(.*)"$/': OWN,
  '/[\\w-]*$/': CURSOR,
  '/^\\s*#\\s*(\\w+)\\s*:\\s*(.*?)\\s*$/': PASTED,
  "/^\\s*([!#$%&'*+.^_`|~\\w-]+)\\s*(?:;|:\\s*(.*?))\\s*$/s": PASTED,
  '/ recorded as (".*")$/': OWN,
  '/"(?:[^"\\\\]|\\\\.)*"|[{}[\\],:]/g': FIELD,
  '/(?<!%)(?<!%[0-9a-f])\\d+(?:(?:%[0-9a-f]{2}|[^\\p{L}\\p{M}\\d%])+\\d+)+/giu': LINE,
  '/\\\\+(?:u[0-9a-f]{4}|[a-z])/gi': DOCUMENT,
  '/^(?:\\w+:\\/\\/)?(?:[^@/]*@)?([^:/]*)(?::\\d+(?=\\/))?[:/]+(.*?)(?:\\.git)?\\/*$/': COMMAND,
  "/\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^']|'')*'|[[\\]{}]/g": DOCUMENT,
  '/"(?:[^"\\\\]|\\\\.)*"|\'[^\']*\'|[[\\]{}]/g': DOCUMENT,
  '/%.*$/': FIELD,
  '/(?:(?<count>\\d+)[\\s_-]*)?(?<![a-z])(?:per|each|every)[\\s_-]*(?<unit>second|minute|hour|day)(?![a-z])/i':
    DOCUMENT,
  '/(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/': STICKY,
  '/[rR](?:"""[^]*?"""|\'\'\'[^]*?\'\'\'|"[^"\\r\\n]*"|\'[^\'\\r\\n]*\')|"""(?:[^\\\\]|\\\\[^])*?"""|\'\'\'(?:[^\\\\]|\\\\[^])*?\'\'\'|"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])*"|\'(?:[^\'\\\\\\r\\n]|\\\\[^\\r\\n])*\'/':
    STICKY,
  '/(?:[0-9]+\\.[0-9]+|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/': STICKY,
  '/([\\d.]+)(ns|us|\u00b5s|ms|s|m|h)/g': DOCUMENT,
  '/([\\w.:[\\]%-]*[.:][\\w.:[\\]%-]*,?|-) /y': LINE,
  '/(\\$\\{\\.[^}]*\\})/': DOCUMENT,
  '/(\\S+\\/\\S+) /y': LINE,
  '/(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/': FIELD,
  '/-----BEGIN ([A-Z0-9 ]+)-----[\\s\\S]*?-----END \\1-----/g': FIELD,
  '/0+$/': OWN,
  '/; did you mean .*$/': DOCUMENT,
  '/; expected .*$/': DOCUMENT,
  '/\\s*\\n\\s*/g': DOCUMENT,
  '/^[\\p{White_Space}]+|[\\p{White_Space}]+$/gu': DOCUMENT,
  '/[ ]+$/': OWN,
  '/[*?[{].*$/': COMMAND,
  '/[:/]*$/': DOCUMENT,
  '/[<[](.+?)(?:\\.\\.\\.)?[>\\]]$/': COMMAND,
  '/[\\w.]+\\s*[=!]=\\s*(?:\'\'|"")|(?:\'\'|"")\\s*[=!]=\\s*[\\w.]+/g': DOCUMENT,
  '/[a-z](?!.*[a-z].*\\/\\/)/i': DOCUMENT,
  '/\\$\\{(?!\\d+\\})[^}]*(?:host|authority)[^}]*\\}|\\$(?:host|authority)\\b/g': DOCUMENT,
  '/\\$\\{(?!\\d+\\})[^}]*\\}|\\$(?:is_args|args|query_string|arg_\\w+|is_user|user|port|uri)\\b/g': DOCUMENT,
  '/\\$\\{(?!\\d+\\})[^}]*scheme[^}]*\\}|\\$scheme\\b/g': DOCUMENT,
  '/\\$\\{[^}]*(?:\\.identity\\b|\\bjwt_validation\\.|\\bbasic_auth\\.|tls\\.client\\b|\\.oauth\\.user\\b|tls\\.client_cert\\b)/':
    DOCUMENT,
  '/\\$\\{[^}]*\\}/g': DOCUMENT,
  '/\\(Did you mean (?:one of )?([^)?]+)\\??\\)/': COMMAND,
  '/\\/*$/': OWN,
  '/\\/+$/': OWN,
  '/\\/\\/|\\.\\.|[;%]|\\/\\\\*\\.|\\[\\.\\]|\\[[^\\]]*A-Z|lower|upper/': DOCUMENT,
  '/\\[(?:\\\\.|[^\\]\\\\])*\\]/g': DOCUMENT,
  '/\\[(?=[^\\]]*\\]\\()/g': OWN,
  '/(?:^| )[|>][-+\\d]{0,2}(?: +#[^\\n]*)?$/': DOCUMENT,
  '/\\[.*$/': DOCUMENT,
  '/\\beyJ[0-9A-Za-z_-]{8,}\\.eyJ[0-9A-Za-z_-]{8,}\\.[0-9A-Za-z_-]{8,}/': DOCUMENT,
  '/\\bsize\\([^()]*\\)\\s*[=!<>]+\\s*\\d+|[\\w.]+\\.size\\(\\)\\s*[=!<>]+\\s*\\d+/g': DOCUMENT,
  '/\\d+$/': OWN,
  '/\\n+$/': DOCUMENT,
  '/\\s*$/': DOCUMENT,
  '/\\s*\\(Did you mean [^)]*\\)/': COMMAND,
  '/^#([A-Za-z-]+):\\s*(.*)$/': LINE,
  '/^((?: |- )*(?:(?:[\\w.-]+|"[^"\\\\]*"|\'[^\']*\'): +|- +))(\\S.*)$/': DOCUMENT,
  '/^((?: |- )*(?:[\\w.-]+|"[^"\\\\]*"|\'[^\']*\'): +)([^\\s"\'[{|>&*!%@`#].*: .*)$/': DOCUMENT,
  '/^((?: |- )*)([A-Za-z_][\\w-]*)(.*)$/': DOCUMENT,
  '/^(?:---\\s*\\n)?(?:\\s|#.*\\n)*(?:\\{\\s*)?["\']?(?:connection|request|response|now)["\']?\\s*:/': COMMAND,
  '/^(?:https?:\\/\\/[^/]+)?(\\/[\\w./~-]*[a-z][\\w./~-]*)$/i': DOCUMENT,
  '/^(?:tls)?[\\s_/-]*v?[\\s_-]*(1(?:[._][0-3])?)$/i': DOCUMENT,
  '/^([^\\s:]+)[ \\t]*:[ \\t]*(.*)$/': COMMAND,
  '/^-?\\d+\\.?\\d*$/': DOCUMENT,
  '/^[\\d.]+(?:\\/\\d+)?$|^[\\da-f:]*::[\\da-f:]*(?:\\/\\d+)?$/i': COMMAND,
  '/^[^\\n]*[^\\s][^\\n]*\\n+$/': DOCUMENT,
  '/^\\w+:\\/\\/[^/@]*:([^/@]*)@/': DOCUMENT,
  '/#.*$/': DOCUMENT,
  '/#\\s*tollgate-ignore.*$/': CURSOR,
  "/(?:\"((?:[^\"\\\\\\n]|\\\\.)*)\"|'((?:[^'\\n]|'')*)'|([^\\s\"'[\\]{},#&*!|>%@`?-][^#\\n]*?|-[^\\s#\\n][^#\\n]*?))[ ]*:(?=[ \\r\\n]|$)/y":
    CURSOR,
  '/(?:^|\\s)#\\s*([^\\n]*)$/': CURSOR,
  '/["\'][^"\']*#[^"\']*$/': CURSOR,
  '/[A-Za-z]\\w*$/': CURSOR,
  '/[A-Za-z_]\\w*$/': CURSOR,
  '/[\\w/*-]*$/': CURSOR,
  '/[a-z]+\\/[\\w-]+/g': CURSOR,
  '/[|>][-+0-9]{0,2}[ \\t]*(?:#.*)?$/': CURSOR,
  '/\\$[A-Za-z_]\\w*|\\$\\{[A-Za-z_]\\w*(?::?[-=?+][^}\\r\\n]*)?\\}/g': DOCUMENT,
  '/\\\\.|\\[(?:\\\\.|[^\\]\\\\])*\\]|\\((?!\\?[^P<])/g': CURSOR,
  '/\\n*$/': DOCUMENT,
  '/\\s*\\r?\\n\\s*/g': CURSOR,
  '/\\w*$/': CURSOR,
  '/\\w+$/': CURSOR,
  '/\\{\\{(?:"(?:\\\\.|[^"\\\\])*"|`[^`]*`|\'(?:\\\\.|[^\'\\\\])*\'|\\/\\*[\\s\\S]*?\\*\\/|(?!\\}\\})[^"`\'])*\\}\\}/g':
    DOCUMENT,
  '/\\{\\{[\\s\\S]*?\\}\\}|\\{%[\\s\\S]*?%\\}|\\{#[\\s\\S]*?#\\}/g': DOCUMENT,
};

/** Files that build a regular expression at run time, each with the reason why it cannot take long. */
export const DYNAMIC: Readonly<Record<string, string>> = {
  'packages/cli/src/recording/redact.ts': 'words of the policy, which have only letters and digits',
  'packages/cel/src/regex/compile-matcher.ts':
    'only patterns that need no backtracking; `backtracking.ts` decides which',
  'packages/cel/src/regex/search-pattern.ts':
    'only patterns that search in linear time; `backtracking.ts` decides which',
  'packages/lint/src/readers/pattern-tree.ts': 'a class of characters, matched against one character',
  'packages/traffic-node/src/audit-lines.ts':
    'names of fields and headers, escaped, with nothing repeated next to them but spaces',
  'packages/cli/src/commands/test.ts':
    'the pattern of the person who runs the command, matched against names of their tests',
  'packages/query/src/engines/engine.ts': 'names of members in the mappings, which have only letters',
  'packages/query/src/tables/scanned-conditions.ts': 'the plain forms of values, constants of `compile`',
  'packages/policy/src/rules/check-string.ts': 'the shapes of the catalog, which are checked here as well',
  'packages/policy/src/project/shape-faults.ts': 'the shapes of settings, which are checked here as well',
};
