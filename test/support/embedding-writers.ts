import { Document, isScalar, visit } from 'yaml';

/** A policy as plain data. */
export type PolicyData = Readonly<Record<string, unknown>>;

/** A format that embeds policies: its file name, the address of the policy, and the file that contains it. */
interface EmbeddingWriter {
  readonly name: string;
  readonly file: string;
  readonly address: string;
  /** True if it writes a comment for every entry. Some lint rules accept a comment as an explanation. */
  readonly isCommented?: true;
  readonly write: (policy: PolicyData) => string;
}

/** Returns the policy as YAML, with its strings in double quotes; with a comment for every entry if `isCommented`. */
export function policyYaml(policy: PolicyData, isCommented = false): string {
  const document = new Document(policy, { aliasDuplicateObjects: false });
  if (isCommented)
    visit(document, {
      Pair: (_, { key }) => {
        if (isScalar(key)) key.commentBefore = ` ${key.value}`;
      },
    });
  return document.toString({ defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 });
}

function indented(text: string, prefix: string | number): string {
  const start = typeof prefix === 'number' ? ' '.repeat(prefix) : prefix;
  return text.replace(/^(?=.)/gm, start);
}

const yaml = (policy: PolicyData, by = 0) => indented(policyYaml(policy), by);
const json = (value: unknown) => JSON.stringify(value);

/** Returns a value as a Terraform expression. */
function hcl(value: unknown, depth = 1): string {
  const pad = '  '.repeat(depth);
  if (typeof value === 'string') return json(value).replace(/[$%](?=\{)/g, '$&$&');
  if (Array.isArray(value)) return `[${value.map(one => hcl(one, depth)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(
    ([key, one]) => `${pad}  ${/^\w+$/.test(key) ? key : json(key)} = ${hcl(one, depth + 1)} # ${key}\n`,
  );
  return `{\n${entries.join('')}${pad}}`;
}

const resource = (kind: string, spec: string) => `apiVersion: v1\nkind:   ${kind}\nmetadata: {name: a}\nspec:\n${spec}`;
const terraform = (value: string) =>
  `resource "ngrok_cloud_endpoint" "a" {\n  url = "https://\${var.host}"\n  p   = ${value}\n}\n`;
const ADDRESS = '/resource/ngrok_cloud_endpoint/a/p';
const dollars = (text: string) => text.replace(/[$%](?=\{)/g, '$&$&');

/** All formats that embed policies. */
export const EMBEDDINGS: readonly EmbeddingWriter[] = [
  { name: 'a policy', file: 'policy.yaml', address: '', write: policy => yaml(policy) },
  { name: 'a JSON policy', file: 'policy.json', address: '', write: policy => json(policy) },
  {
    name: 'a traffic policy resource',
    file: 'k8s/policy.yaml',
    address: '/spec/policy',
    write: policy => resource('NgrokTrafficPolicy', `  policy:\n${yaml(policy, 4)}`),
  },
  {
    name: 'a cloud endpoint',
    file: 'k8s/cloud.yaml',
    address: '/spec/trafficPolicy/policy',
    write: policy => resource('CloudEndpoint', `  url: https://a\n  trafficPolicy:\n    policy:\n${yaml(policy, 6)}`),
  },
  {
    name: 'an agent endpoint',
    file: 'k8s/agent.yaml',
    address: '/spec/trafficPolicy/inline',
    write: policy => resource('AgentEndpoint', `  trafficPolicy:\n    inline: ${json(policy)}\n`),
  },
  {
    name: 'a second resource',
    file: 'k8s/several.yaml',
    address: '2/spec/policy',
    write: policy =>
      `${resource('Service', '  ports: []\n')}---\n${resource('NgrokTrafficPolicy', `  policy:\n${yaml(policy, 4)}`)}`,
  },
  {
    name: 'a resource in JSON',
    file: 'k8s/policy.json',
    address: '/spec/policy',
    write: policy => JSON.stringify({ kind: 'NgrokTrafficPolicy', spec: { policy } }, undefined, 2),
  },
  {
    name: 'a resource of its own',
    file: 'k8s/own.yaml',
    address: '/spec/filters/0/rules',
    write: policy => resource('Gate', `  filters:\n    - rules:\n${yaml(policy, 8)}`),
  },
  {
    name: 'a config map',
    file: 'k8s/map.yaml',
    address: '/data/policy.yaml',
    write: policy => `kind: ConfigMap\ndata:\n  policy.yaml: |\n${yaml(policy, 4)}  other: 1\n`,
  },
  {
    name: 'agent configuration in a config map',
    file: 'k8s/agent-map.yaml',
    address: '/data/ngrok.yml/endpoints/0/traffic_policy',
    write: policy =>
      `kind: ConfigMap\ndata:\n  ngrok.yml: |-\n    endpoints:\n      - traffic_policy:\n${yaml(policy, 10)}`,
  },
  {
    name: 'a patch',
    file: 'k8s/kustomization.yaml',
    address: '/patches/0/patch/spec/policy',
    write: policy =>
      `patches:\n  - patch: |\n      kind: NgrokTrafficPolicy\n      spec:\n        policy:\n${yaml(policy, 10)}`,
  },
  {
    name: 'an annotation',
    file: 'k8s/ingress.yaml',
    address: '/metadata/annotations/policy',
    write: policy => `kind: Ingress\nmetadata:\n  annotations:\n    policy: ${json(json(policy))}\n`,
  },
  {
    name: 'single quotes',
    file: 'k8s/single.yaml',
    address: '/policy',
    write: policy => `policy: '${json(policy).replaceAll("'", "''")}'\n`,
  },
  {
    name: 'agent configuration',
    file: 'ngrok.yml',
    address: '/endpoints/0/traffic_policy',
    write: policy => `version: 3\nendpoints:\n  - name: a\n    traffic_policy:\n${yaml(policy, 6)}`,
  },
  {
    name: 'older agent configuration',
    file: 'ngrok2.yml',
    address: '/tunnels/a/policy',
    write: policy => `version: 2\ntunnels:\n  a:\n    policy:\n${yaml(policy, 6)}`,
  },
  {
    name: 'Compose labels',
    file: 'compose.yaml',
    address: '/services/a/labels/policy',
    write: policy => `services:\n  a:\n    labels:\n      policy: ${json(policyYaml(policy))}\n`,
  },
  {
    name: 'Compose configs',
    file: 'compose2.yaml',
    address: '/configs/a/content',
    write: policy => `configs:\n  a:\n    content: |2\n${yaml(policy, 6)}`,
  },
  {
    name: 'Helm values',
    file: 'chart/values.yaml',
    address: '/gateway/policy',
    write: policy => `enabled: true\ngateway:\n  policy:\n${yaml(policy, 4)}`,
  },
  {
    name: 'Helm values in a string',
    file: 'chart/values2.yaml',
    address: '/policy',
    write: policy => `policy: |+\n${yaml(policy, 2)}\n`,
  },
  {
    name: 'a Helm template',
    file: 'chart/templates/policy.yaml',
    address: '/spec/policy',
    write: policy =>
      `{{- if .Values.on }}\n${resource('NgrokTrafficPolicy', `  policy:\n    {{- range .Values.rules }}\n${yaml(policy, 4)}    {{- end }}\n`)}{{- end }}\n`,
  },
  {
    name: 'a response of the API',
    file: 'endpoint.json',
    address: '/traffic_policy',
    write: policy => json({ id: 'ep_1', traffic_policy: policyYaml(policy) }),
  },
  {
    name: 'Windows line breaks',
    file: 'windows.yaml',
    address: '/data/p',
    write: policy => `data:\n  p: |\n${yaml(policy, 4)}`.replaceAll('\n', '\r\n'),
  },
  {
    name: 'a heredoc',
    file: 'tf/heredoc.tf',
    address: ADDRESS,
    write: policy => terraform(`<<EOT\n${dollars(yaml(policy))}EOT`),
  },
  {
    name: 'an indented heredoc',
    file: 'tf/indented.tf',
    address: ADDRESS,
    write: policy => terraform(`<<-EOT\n${dollars(yaml(policy, 4))}  EOT`),
  },
  {
    name: 'a Terraform string',
    file: 'tf/string.tf',
    address: ADDRESS,
    write: policy => terraform(dollars(json(policyYaml(policy)))),
  },
  {
    name: 'jsonencode',
    isCommented: true,
    file: 'tf/json.tf',
    address: ADDRESS,
    write: policy => terraform(`jsonencode(${hcl(policy)})`),
  },
  {
    name: 'yamlencode in a list',
    isCommented: true,
    file: 'tf/list.tf',
    address: `${ADDRESS}/1/policy`,
    write: policy => terraform(`[var.x, yamlencode({ policy = ${hcl(policy)} })]`),
  },
  {
    name: 'a Terraform manifest',
    isCommented: true,
    file: 'tf/manifest.tf',
    address: `${ADDRESS}/spec/policy`,
    write: policy => terraform(hcl({ kind: 'NgrokTrafficPolicy', spec: { policy } })),
  },
  {
    name: 'a code block',
    file: 'README.md',
    address: '1',
    write: policy => `# A\n\n\`\`\`yaml title="a"\n${yaml(policy)}\`\`\`\n`,
  },
  {
    name: 'a code block in a list',
    file: 'docs/list.md',
    address: '2',
    write: policy => `\`\`\`sh\nx\n\`\`\`\n\n1. a\n\n   ~~~\n${yaml(policy, 3)}   ~~~\n`,
  },
  {
    name: 'a code block in a quote',
    file: 'docs/quote.mdx',
    address: '1',
    write: policy => `> \`\`\`yml\n${indented(policyYaml(policy), '> ')}> \`\`\`\n`,
  },
  {
    name: 'Terraform in a code block',
    isCommented: true,
    file: 'docs/terraform.md',
    address: '1/locals/p',
    write: policy => `\`\`\`hcl\nlocals {\n  p = jsonencode(${hcl(policy)})\n}\n\`\`\`\n`,
  },
];

const FOREIGN: readonly ((index: number) => string)[] = [
  index => `services:\n  web${index}:\n    image: nginx\n    ports: ["80:80"]\n`,
  index =>
    `name: ci ${index}\non: [push]\njobs:\n  test:\n    runs-on: x\n    steps:\n      - run: |\n          npm test\n          echo on_http_request: x\n`,
  index => `enabled: true\nreplicas: ${index}\ninbound:\n  - port: ${index}\n    allow: [10.0.0.0/8]\noutbound: []\n`,
  index => `openapi: 3.0.0\npaths:\n  /inbound/${index}:\n    get: {responses: {}}\n`,
  index => `kind: DestinationRule\nspec:\n  trafficPolicy:\n    connectionPool: {tcp: {maxConnections: ${index}}}\n`,
  index => `kind: NetworkPolicy\nspec:\n  policyTypes: [Ingress]\n  ingress: [{ports: [{port: ${index}}]}]\n`,
  () => '',
  index => `# comment ${index}\n`,
  index => `a: [${index}\nb: }\n`,
  index => `{{- if .Values.inbound }}\nkind: Deployment\nspec:\n  replicas: {{ .Values.n${index} }}\n{{- end }}\n`,
  index => `- hosts: all\n  tasks:\n    - name: x${index}\n      actions: [a]\n`,
  index => `rules:\n  - name: a${index}\n    expressions: [x]\n    actions: [{type: y}]\n`,
  index => `policy:\n  enabled: false\n  inbound: allow\n  outbound: ${index}\n`,
  index => `x: "on_http_request"\ny: 'inbound: ${index}'\nz: >\n  inbound:\n  text about outbound: traffic\n`,
];

/** Returns a YAML file that contains no policy. */
export function foreignFile(index: number): string {
  return FOREIGN[index % FOREIGN.length]!(index);
}
