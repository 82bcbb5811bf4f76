import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from './contract/examples.ts';
import { OPERATION_IDS, operationOf } from './contract/operations.ts';
import type { ShapeName } from './contract/shapes.ts';
import { openApiDocument } from './openapi.ts';
import { exampleAnswer } from './openapi-components.ts';
import { createValidator } from './validation/validator.ts';

interface Content {
  readonly schema: { readonly $ref: string };
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Answer {
  readonly content?: { readonly 'application/json': Content };
}

interface OperationObject {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': Content } };
  readonly responses: Readonly<Record<string, Answer>>;
}

const description = openApiDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: object; readonly responses: Readonly<Record<string, Answer>> };
};
const operations = Object.values(description.paths).flatMap(path => Object.values(path));

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ ...description, $id: 'api' });

/** What a schema of the description says against a value. */
function against({ $ref }: { readonly $ref: string }, value: unknown): string {
  const validate = ajv.getSchema(`api${$ref}`)!;
  return validate(value) === true ? '' : ajv.errorsText(validate.errors);
}

describe('the OpenAPI description', () => {
  it('has every operation under its own id', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual([...OPERATION_IDS].sort());
  });

  it('describes the examples of every request and every answer', () => {
    const contents = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap(part =>
        part?.content ? [{ operationId, content: part.content['application/json'] }] : [],
      ),
    );
    const shared = Object.entries(description.components.responses).map(([name, { content }]) => ({
      operationId: name,
      content: content!['application/json'],
    }));
    const wrong = [...contents, ...shared].flatMap(({ operationId, content }) =>
      Object.values(content.examples)
        .map(({ value }) => against(content.schema, value))
        .filter(text => text !== '')
        .map(text => `${operationId}: ${text}`),
    );
    expect(contents.length).toBeGreaterThan(OPERATION_IDS.length);
    expect(wrong).toEqual([]);
  });

  it('has an answer with every field for every operation that answers', () => {
    const empty = OPERATION_IDS.filter(
      id => operationOf(id).answer !== null && exampleAnswer(operationOf(id)) === null,
    );
    expect(empty).toEqual([]);
  });

  it('has examples that the validator takes', () => {
    const validator = createValidator();
    const wrong = OPERATION_IDS.flatMap(id => {
      const { kind, request } = operationOf(id);
      if (request === null || kind === 'update') return [];
      const result = validator.body(id, EXAMPLES[request as ShapeName]);
      return result.ok ? [] : result.faults.map(({ message }) => `${id}: ${message}`);
    });
    expect(wrong).toEqual([]);
  });
});
