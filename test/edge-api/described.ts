import { type OperationId, openApiDocument, operationOf } from '@tollgate/edge-api';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

type Responses = Readonly<Record<string, Response | { readonly $ref: string }>>;

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}

/** Validates responses against the OpenAPI description. */
interface Judge {
  /** Returns what is wrong with the response to an operation; undefined if it conforms. */
  readonly judge: (id: OperationId, status: number, body: unknown) => string | undefined;
}

/** Creates a validator from the description that is generated from the contract. */
export function createJudge(): Judge {
  const document: object = openApiDocument();
  const description = document as Described;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...description, $id: 'api' });
  const validators = new Map<string, ValidateFunction>();
  function validatorOf($ref: string): ValidateFunction {
    const validator = validators.get($ref) ?? ajv.getSchema(`api${$ref}`)!;
    validators.set($ref, validator);
    return validator;
  }
  return {
    judge: (id, status, body) => {
      const { path, verb } = operationOf(id);
      const response = resolved(description, description.paths[path]?.[verb.toLowerCase()]?.responses[status]);
      if (response === undefined) return `the status ${status} is not described`;
      const schema = response.content?.['application/json']?.schema;
      if (schema === undefined) return body === undefined ? undefined : 'no body is described';
      const validate = validatorOf(schema.$ref);
      return validate(body) === true ? undefined : ajv.errorsText(validate.errors);
    },
  };
}

function resolved(
  description: Described,
  response: Response | { readonly $ref: string } | undefined,
): Response | undefined {
  if (response === undefined || !('$ref' in response)) return response as Response | undefined;
  return description.components.responses[response.$ref.split('/').at(-1)!];
}
