import { isMembers, type Members, membersAt, stringAt } from '../api/members.ts';
import { escaped, exampleHtml, prose } from './html.ts';
import { typeHtml } from './schema-section.ts';

/** An operation of the OpenAPI document with its verb and path. */
export interface DescribedOperation {
  readonly verb: string;
  readonly path: string;
  readonly operation: Members;
}

/** Returns the anchor of an operation's section. */
export function operationAnchor({ operation }: DescribedOperation): string {
  return `operation-${stringAt(operation, 'operationId')}`;
}

/** Returns the section of an operation: parameters, request and responses with examples. */
export function operationSection(described: DescribedOperation): string {
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
