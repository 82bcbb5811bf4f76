import type { JsonSchema } from '@tollgate/edge-api';
import { isMembers, type Members, membersAt, stringAt } from '../api/members.ts';
import { escaped, prose } from './html.ts';
import { type DescribedOperation, operationAnchor, operationSection } from './operation-section.ts';
import { PAGE_STYLE } from './page-style.ts';
import { schemaAnchor, schemaSection } from './schema-section.ts';

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
