import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { analyzePolicies } from '../analysis/analyze-policy.ts';
import { applyEdits } from '../document/edits.ts';
import { editsInFile, findingsInFile } from './embedded-policy.ts';
import { findPolicies } from './find-policies.ts';
import { detectTemplate, type TemplateKind } from './placeholders.ts';

function findingsIn(text: string, templates?: TemplateKind) {
  const file = new SourceText('a.yaml', text);
  return findPolicies(file, { templates }).map(policy => {
    const { part } = policy;
    const options = { profile: MODERN, endpoint: 'http-endpoint', ...(part && { part }) } as const;
    const found = findingsInFile(policy, analyzePolicies(policy.source, options).diagnostics);
    return found.map(({ range }) => text.slice(range.start, range.end));
  });
}

const HELM = `{{- if .Values.enabled }}
kind: NgrokTrafficPolicy
metadata:
  name: {{ include "x.name" . }}
  labels:
    {{- include "x.labels" . | nindent 4 }}
spec:
  policy:
    on_http_request:
      {{- range .Values.rules }}
      - name: {{ .name | quote }}
        expressions:
          - "req.pth.startsWith('{{ .prefix }}')"
          - {{ printf "}}" }}
        actions:
          - type: custom-response
            config:
              status_code: {{ .code }}
              body: "{{ .body }} \${req.pth}"
      {{- end }}
{{- end }}
`;

it.each<[TemplateKind | undefined, string, readonly (readonly string[])[]]>([
  [undefined, HELM, [['pth', 'pth']]],
  ['helm', HELM, [['pth', 'pth']]],
  ['go', HELM, [['pth', 'pth']]],
  [
    'jinja',
    '{% for r in rules %}\non_http_request:\n  - name: {{ r.name }} {# why #}\n    expressions: ["req.pth == {{ r.value|tojson }}"]\n    actions: [{type: {{ r.type }}}]\n{% endfor %}\n',
    [['pth']],
  ],
  [
    'envsubst',
    'on_http_request:\n  - name: $NAME\n    expressions: ["req.pth == \'${VALUE:-x}\'"]\n    actions: [{type: custom-response, config: {status_code: ${CODE}, body: "${req.pth}"}}]\n',
    [['pth', 'pth']],
  ],
])('treats placeholders as unknown: %s', (kind, text, found) => {
  expect(findingsIn(text, kind)).toEqual(found);
});

it('reports placeholders as errors without the setting', () => {
  expect(
    findingsIn('on_http_request:\n  - actions: [{type: custom-response, config: {status_code: $CODE}}]\n'),
  ).toEqual([['$CODE']]);
});

it('edits around placeholders, and refuses to change them', () => {
  const file = new SourceText('a.yaml', HELM);
  const [policy] = findPolicies(file);
  const own = policy!.source.text;
  const at = own.indexOf('pth');
  const edits = editsInFile(policy!, [{ range: { start: at, end: at + 3 }, newText: 'url' }]);
  expect(applyEdits(HELM, edits!)).toBe(HELM.replace('pth', 'url'));
  const range = { start: own.indexOf('request:'), end: own.indexOf('- name') };
  expect(editsInFile(policy!, [{ range, newText: '' }])).toBeUndefined();
});

it.each([
  ['body: "Hello {{ name }}"', undefined],
  ['x: {{ .Values.a }}', 'helm'],
  ['{{- if .a }}', 'helm'],
])('recognizes Helm: %s', (text, kind) => {
  expect(detectTemplate(text)).toBe(kind);
});
