import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { analyzePolicies } from '../analysis/analyze-policy.ts';
import { applyEdits } from '../document/edits.ts';
import { editsInFile, findingsInFile } from './embedded-policy.ts';
import { partAddress } from './find-in-document.ts';
import { findPolicies } from './find-policies.ts';

const file = (text: string) => new SourceText('main.tf', text);

/** The address of each policy, and the text of its findings in the file. */
function findingsIn(source: SourceText) {
  return findPolicies(source).map(policy => {
    const { part } = policy;
    const options = { profile: MODERN, endpoint: 'http-endpoint', ...(part && { part }) } as const;
    const found = findingsInFile(policy, analyzePolicies(policy.source, options).diagnostics);
    return [partAddress(policy.path), ...found.map(({ range }) => source.text.slice(range.start, range.end))];
  });
}

const around = (value: string) =>
  `# first\nresource "ngrok_cloud_endpoint" "site" {\n  url = "https://\${var.host}"\n  traffic_policy = ${value}\n  other = 1 }\n`;
const ADDRESS = '/resource/ngrok_cloud_endpoint/site/traffic_policy';

it.each<[string, string, readonly string[]]>([
  [
    'a heredoc',
    around('<<EOT\non_http_request:\n  - expressions: ["req.pth == \'/\'"]\n    actions: [{type: deny}]\nEOT'),
    [ADDRESS, 'pth'],
  ],
  [
    'an indented heredoc',
    around(
      '<<-EOT\n    on_http_request:\n      - expressions: ["req.pth == \'/\'"]\n        actions: [{type: deny}]\n  EOT',
    ),
    [ADDRESS, 'pth'],
  ],
  [
    'a heredoc with templates',
    around(
      '<<-EOT\n    on_http_request:\n      - name: ${var.name}\n        expressions: ["req.pth == \'${var.x}\'"]\n        actions: [{type: custom-response, config: {status_code: ${var.code}, body: "$${req.pth}"}}]\n  EOT',
    ),
    [ADDRESS, 'pth', 'pth'],
  ],
  [
    'a string',
    around('"on_http_request: [{expressions: [\\"req.pth == \'/\'\\"], actions: [{type: deny}]}]\\n"'),
    [ADDRESS, 'pth'],
  ],
  [
    'jsonencode',
    around(
      'jsonencode({\n    on_http_request = [{ // rule\n      expressions = ["req.pth == \'$${x}\'"] # why\n      "actions" : [{ type = "deny" }, ]\n    }]\n  })',
    ),
    [ADDRESS, 'pth'],
  ],
  [
    'yamlencode with references',
    around(
      'yamlencode({ on_http_request = [{ name = local.name, expressions = ["req.pth == \'${var.x}\'", var.y], actions = [{ type = "custom-response", config = { status_code = var.code ? 200 : 300 } }] }] })',
    ),
    [ADDRESS, 'pth'],
  ],
  [
    'a manifest',
    'resource "kubernetes_manifest" "p" {\n  manifest = {\n    kind = "NgrokTrafficPolicy"\n    spec = { policy = { on_http_request = [{ expressions = ["req.pth"], actions = [{ type = "deny" }] }] } }\n  }\n}\n',
    ['/resource/kubernetes_manifest/p/manifest/spec/policy', 'pth'],
  ],
  [
    'values of a chart',
    'resource "helm_release" "r" {\n  set {\n    value = 1\n  }\n  values = [yamlencode({ a = 1 }), yamlencode({ policy = { on_http_request = [{ expressions = ["req.pth == \'\'"], actions = [{ type = "deny" }] }] } })]\n}\n',
    ['/resource/helm_release/r/values/1/policy', 'pth'],
  ],
  [
    'a local value',
    'locals {\n  p = "x"\n  policy = <<EOT\non_http_request: [{expressions: ["req.pth == 1"], actions: [{type: deny}]}]\nEOT\n}\n',
    ['/locals/policy', 'pth'],
  ],
])('finds a policy in %s', (_, text, found) => {
  const all = findingsIn(file(text));
  expect(all).toEqual([found]);
});

it.each([
  'variable "inbound" {\n  default = []\n}\n',
  'resource "aws_security_group" "x" {\n  inbound = [{ from_port = 80, actions = ["allow"] }]\n}\n',
  'x = "${jsonencode({ on_http_request',
  'x = <<EOT\non_http_request:\n',
  'x = {\n on_http_request = [\n',
  'on_http_request = [{',
  '}}}} on_http_request = """',
])('finds none in %j', text => {
  expect(findPolicies(file(text)).filter(one => one.path.steps[0] !== 'x')).toEqual([]);
});

it('edits only what changes, with the escapes of Terraform', () => {
  const cases = [
    around('<<-EOT\n    on_http_request:\n      - name: ${var.name}\n        actions: [{type: deny}]\n  EOT'),
    around('jsonencode({ on_http_request = [{ name = "${var.name}", actions = [{ type = "deny" }] }] })'),
    around('"on_http_request: [{name: ${var.name}, actions: [{type: deny}]}]"'),
  ];
  for (const text of cases) {
    const [policy] = findPolicies(file(text));
    const own = policy!.source.text;
    const at = own.indexOf('deny');
    const edits = editsInFile(policy!, [{ range: { start: at, end: at + 4 }, newText: 'a${b}c' }]);
    expect(applyEdits(text, edits!)).toBe(text.replace('deny', () => 'a$${b}c'));
  }
});
