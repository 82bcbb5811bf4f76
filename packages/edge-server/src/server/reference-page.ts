// The HTML page of the OpenAPI document.

import { once } from '@tollgate/diagnostics';
import { type JsonSchema, openApiDocument } from '@tollgate/edge-api';
import type { FastifyInstance } from 'fastify';
import { isMembers, type Members, membersAt, stringAt } from '../api-error.ts';
import type { ServerSettings } from '../settings/settings.ts';

/** The page loads no other resources. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Adds the OpenAPI document and its HTML page, both built on first use. */
export function addReference(app: FastifyInstance, settings: ServerSettings): void {
  const { publicUrl, basePath, versionHeaders } = settings;
  const server = publicUrl === '' ? (basePath === '' ? '/' : basePath) : publicUrl;
  const [versionHeader = ''] = versionHeaders;
  const describe = () => openApiDocument({ server, versionHeader });
  const json = once(() => JSON.stringify(describe()));
  const html = once(() => referencePage(describe()));
  app.get('/openapi.json', async (_, reply) => reply.type('application/json').send(json()));
  app.get('/docs', async (_, reply) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
      .type('text/html; charset=utf-8')
      .send(html()),
  );
}

/** Returns an OpenAPI document as a single HTML page that loads nothing and runs no scripts. */
export function referencePage(document: JsonSchema): string {
  const info = membersAt(document, 'info') ?? {};
  const title = escaped(stringAt(info, 'title') ?? '');
  const groups = groupsOf(document);
  const schemas = Object.entries(membersAt(membersAt(document, 'components') ?? {}, 'schemas') ?? {});
  const objects = schemas.map(([name, schema]) => schemaSection(name, isMembers(schema) ? schema : {})).join('');
  const links = schemas.map(([name]) => `<li><a href="#${schemaAnchor(name)}">${escaped(name)}</a></li>`).join('');
  const navigation = `${groups.map(navigationOf).join('')}<details><summary>Objects</summary><ul>${links}</ul></details>`;
  const body = groups.map(({ name, doc, operations }) => {
    return `<h2>${escaped(name)}</h2><p>${prose(doc)}</p>${operations.map(operationSection).join('')}`;
  });
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${PAGE_STYLE}</style></head><body>`,
    `<nav><p class="title">${title}</p>${navigation}</nav><main><h1>${title}</h1>${introduction(document, info)}`,
    `${body.join('')}<h2>Objects</h2>${objects}</main></body></html>`,
  ].join('');
}

function introduction(document: JsonSchema, info: Members): string {
  const parameters = membersAt(membersAt(document, 'components') ?? {}, 'parameters') ?? {};
  const header = escaped(stringAt(membersAt(parameters, 'Version') ?? {}, 'name') ?? '');
  return [
    `<p>${prose(stringAt(info, 'summary') ?? '')} Also as <a href="openapi.json">OpenAPI 3.1</a>.</p>`,
    '<p>Every request carries an API key and the version, and what it sends is JSON:</p>',
    `<pre><code>Authorization: Bearer &lt;API key&gt;\n${header}: 2\nContent-Type: application/json</code></pre>`,
    '<p>To make a change conditional, send the <code>ETag</code> of a response in <code>If-Match</code>.',
    ' A change can be tried without being made: the same request to <code>/_tollgate/validate</code> before its path.</p>',
  ].join('');
}

interface Group {
  readonly name: string;
  readonly doc: string;
  readonly operations: readonly DescribedOperation[];
}

function groupsOf(document: JsonSchema): readonly Group[] {
  const all = Object.entries(membersAt(document, 'paths') ?? {}).flatMap(([path, verbs]) =>
    Object.entries(isMembers(verbs) ? verbs : {}).flatMap(([verb, operation]) =>
      isMembers(operation) && operation.operationId !== undefined ? [{ verb, path, operation }] : [],
    ),
  );
  const tags = Array.isArray(document.tags) ? document.tags.filter(isMembers) : [];
  return tags.map(tag => ({
    name: stringAt(tag, 'name') ?? '',
    doc: stringAt(tag, 'description') ?? '',
    operations: all.filter(({ operation: { tags: own } }) => Array.isArray(own) && own.includes(tag.name)),
  }));
}

function navigationOf({ name, operations }: Group): string {
  const links = operations.map(one => {
    const summary = prose(stringAt(one.operation, 'summary') ?? '');
    return `<li><a href="#${operationAnchor(one)}"><b class="${one.verb}">${one.verb.toUpperCase()}</b> ${summary}</a></li>`;
  });
  return `<details><summary>${escaped(name)}</summary><ul>${links.join('')}</ul></details>`;
}

/** An operation of the OpenAPI document with its verb and path. */
interface DescribedOperation {
  readonly verb: string;
  readonly path: string;
  readonly operation: Members;
}

/** Returns the anchor of an operation's section. */
function operationAnchor({ operation }: DescribedOperation): string {
  return `operation-${stringAt(operation, 'operationId')}`;
}

/** Returns the section of an operation: parameters, request and responses with examples. */
function operationSection(described: DescribedOperation): string {
  const { verb, path, operation } = described;
  const marks = operation['x-unstable'] === true ? ' <span class="mark">unstable</span>' : '';
  const parts = [
    `<h3>${prose(stringAt(operation, 'summary') ?? '')}${marks}</h3>`,
    `<p class="route"><b class="${verb}">${verb.toUpperCase()}</b> <code>${escaped(path)}</code></p>`,
    prose(stringAt(operation, 'description') ?? ''),
    parametersHtml(operation),
    bodyHtml('Body', membersAt(operation, 'requestBody')),
    responsesHtml(operation),
  ];
  return `<section id="${operationAnchor(described)}">${parts.join('')}</section>`;
}

function parametersHtml({ parameters }: Members): string {
  const own = Array.isArray(parameters) ? parameters.filter(isMembers).filter(({ name }) => name !== undefined) : [];
  if (own.length === 0) return '';
  const items = own.map(
    one => `<li><code>${escaped(String(one.name))}</code> ${prose(stringAt(one, 'description') ?? '')}</li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

function responsesHtml(operation: Members): string {
  const answers = Object.entries(membersAt(operation, 'responses') ?? {});
  const good = answers.filter(([status]) => status.startsWith('2'));
  const failures = answers.map(([status]) => status).filter(status => !status.startsWith('2'));
  const texts = good.map(([status, answer]) =>
    bodyHtml(`Response ${status}`, isMembers(answer) ? answer : {}, 'empty'),
  );
  return `${texts.join('')}<p class="facts">Errors: ${failures.join(', ')}</p>`;
}

function bodyHtml(title: string, body: Members | undefined, without?: string): string {
  if (!body) return '';
  const content = membersAt(membersAt(body, 'content') ?? {}, 'application/json');
  if (!content) return without === undefined ? '' : `<p>${title}: ${without}</p>`;
  const examples = Object.values(membersAt(content, 'examples') ?? {}).filter(isMembers);
  const shown = examples.map(({ value }) => exampleHtml(`${title.toLowerCase()}, an example`, value)).join('');
  return `<p>${title}: ${typeHtml(membersAt(content, 'schema') ?? {})}</p>${shown}`;
}

/** Returns the section of an object, with a row per field. */
function schemaSection(name: string, schema: JsonSchema): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(isMembers(schema.properties) ? schema.properties : {});
  const rows = fields.map(([field, value]) => row(field, isMembers(value) ? value : {}, required.includes(field)));
  const head = '<tr><th>field</th><th>type</th><th>meaning</th></tr>';
  const table = rows.length > 0 ? `<table>${head}${rows.join('')}</table>` : '<p>No fields.</p>';
  const text = prose(stringAt(schema, 'description') ?? '');
  return `<section id="${schemaAnchor(name)}"><h3>${escaped(name)}</h3><p>${text}</p>${table}</section>`;
}

/** Returns the anchor of an object's section. */
function schemaAnchor(name: string): string {
  return `object-${name}`;
}

/** Formats the type of a value, with links to objects. */
function typeHtml(schema: Members): string {
  const ref = stringAt(schema, '$ref');
  if (ref !== undefined) {
    const name = ref.slice(ref.lastIndexOf('/') + 1);
    return `<a href="#${schemaAnchor(name)}">${escaped(name)}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map(choice => typeHtml(isMembers(choice) ? choice : {})).join(' or ');
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [stringAt(schema, 'type') ?? 'any value'];
  return types.map(type => namedType(type, schema)).join(' or ');
}

function namedType(type: string, { items, additionalProperties }: Members): string {
  if (type === 'array') return `list of ${typeHtml(isMembers(items) ? items : {})}`;
  if (type === 'object' && isMembers(additionalProperties)) return `map of text to ${typeHtml(additionalProperties)}`;
  return escaped(type === 'string' ? 'text' : type);
}

const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  maxLength: 'length at most',
  minItems: 'entries at least',
  maxItems: 'entries at most',
  maxProperties: 'entries at most',
  default: 'default',
};

function row(name: string, schema: Members, isRequired: boolean): string {
  const facts = Object.entries(BOUNDS)
    .filter(([key]) => schema[key] !== undefined)
    .map(([key, words]) => `${words} <code>${escaped(JSON.stringify(schema[key]))}</code>`);
  if (Array.isArray(schema.enum))
    facts.push(`one of ${schema.enum.map(one => `<code>${escaped(String(one))}</code>`).join(', ')}`);
  const notes = facts.length > 0 ? `<div class="facts">${facts.join('; ')}</div>` : '';
  const mark = schema['x-extension'] === true ? ' <span class="mark">extension</span>' : '';
  const must = isRequired ? ' <span class="mark">always</span>' : '';
  const meaning = prose(stringAt(schema, 'description') ?? '');
  return `<tr><td><code>${escaped(name)}</code>${must}${mark}</td><td>${typeHtml(schema)}</td><td>${meaning}${notes}</td></tr>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for HTML. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}

/** Escapes a string and formats parts in backticks as code. */
function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns an example as collapsible, indented JSON. */
function exampleHtml(title: string, value: unknown): string {
  const json = escaped(JSON.stringify(value, undefined, 2));
  return `<details><summary>${escaped(title)}</summary><pre><code>${json}</code></pre></details>`;
}

/** The style of the reference, light and dark. */
const PAGE_STYLE = `
:root { --ink: #1c2128; --paper: #fff; --faint: #656d76; --line: #d8dee4; --tint: #f3f5f7; --link: #0a58ca; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe4ea; --paper: #15191e; --faint: #8d96a0; --line: #30363d; --tint: #1d232a; --link: #6cb0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: 13px; }
nav .title { font-weight: 600; font-size: 15px; margin: 0 0 .5rem; }
nav ul { list-style: none; margin: 0; padding: 0 0 .5rem .75rem; }
nav a { display: block; padding: .1rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--link); }
nav summary { padding: .2rem 0; font-weight: 600; cursor: pointer; }
main { max-width: 62rem; padding: 1rem 2rem 6rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); } h3 { margin-bottom: .25rem; }
section { padding: .5rem 0 1rem; } section:target { background: var(--tint); box-shadow: 0 0 0 .75rem var(--tint); }
a { color: var(--link); }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { padding: .75rem; overflow-x: auto; background: var(--tint); border-radius: 6px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: 500; }
main summary { cursor: pointer; color: var(--faint); }
.route { margin: .25rem 0; } .facts { color: var(--faint); font-size: 13px; }
.mark { padding: 0 .35rem; border: 1px solid var(--line); border-radius: 4px; color: var(--faint); font-size: 11px; font-weight: 400; }
b { font: 600 11px ui-monospace, monospace; } .get { color: #0a7d3f; } .post { color: #0a58ca; } .put, .patch { color: #9a6200; } .delete { color: #c0392b; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
