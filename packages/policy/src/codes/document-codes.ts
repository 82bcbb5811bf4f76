import type { CodeDescription } from '@tollgate/diagnostics';

/** Bounds of documents, and files of settings. */
export const DOCUMENT_CODES: readonly CodeDescription[] = [
  {
    code: 'limit/document-size',
    severity: 'error',
    summary: 'a document that is too long',
    rationale:
      'Documents have a greatest length, so that a hostile one costs no more than a message. No policy comes near it.',
    bad: { kind: 'policy', text: '# …\ninbound: []\n', stands: { mark: '…', for: 'a', times: 1_000_000 } },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'limit/document-depth',
    severity: 'error',
    summary: 'a document that is nested too deeply',
    rationale: 'Lists and maps inside each other have a greatest depth. A policy needs a handful of levels.',
    bad: { kind: 'json', text: '{"inbound": …', stands: { mark: '…', for: '[', times: 100 } },
    good: { kind: 'json', text: '{"inbound": []}' },
  },
  {
    code: 'limit/document-nodes',
    severity: 'error',
    summary: 'a document with too many values',
    rationale:
      'Aliases that stand for lists of aliases multiply: a few lines become billions of values. They are counted as often as they are used.',
    remedy: 'Write out what is meant, or divide the policy.',
    bad: {
      kind: 'json',
      text: '{"inbound": […0]}',
      stands: { mark: '…', for: '0,', times: 200_000 },
    },
    good: { kind: 'json', text: '{"inbound": []}' },
  },
  {
    code: 'settings/invalid',
    severity: 'error',
    summary: 'something wrong in a file of settings',
    rationale:
      'A project file (`tollgate.yaml`) or an extension (`--env`) says something that cannot be. Nothing is checked before that is ' +
      'mended: what it settles decides what is an error.',
    remedy: 'The message says what was expected, at its place in the file.',
    bad: { kind: 'extension', text: 'variables:\n  - pth: req.tenant\n    type: string\n' },
    good: { kind: 'extension', text: 'variables:\n  - path: req.tenant\n    type: string\n' },
  },
];
