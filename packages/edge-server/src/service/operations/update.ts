import type { Operation, RecordKindName } from '@tollgate/edge-api';
import { notFound } from '../../api/api-error.ts';
import { toTimestamp } from '../../api/certificate-details.ts';
import type { Members } from '../../api/members.ts';
import { moduleAnswer, recordAnswer, shapeOfRecord } from '../records/answer.ts';
import { fieldsAtUpdate } from '../records/computed-fields.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from '../records/context.ts';
import { withKnownUrls } from '../records/shape-walk.ts';
import type { ValidBody } from '../requests/request-body.ts';
import { changeRecord } from './change.ts';

/** Changes the fields given in the request. Modules are replaced as a whole (part A, section 4.5). */
export async function updateRecord(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value }: ValidBody,
): Promise<ApiAnswer> {
  const kind = operation.record as RecordKindName;
  const time = toTimestamp(new Date(context.now()));
  const change = (before: Members): Members => {
    const body = withKnownUrls(shapeOfRecord({ kind }), before, { ...before, ...value });
    return { ...body, ...fieldsAtUpdate(kind, { body, settings: context.rules, time }) };
  };
  return await changeRecord(context, {
    operation,
    request,
    kind,
    id: request.path.id!,
    change,
    given: value,
    answer: async (_, family) => {
      const whole = await family();
      const answer = recordAnswer({ box: context.box, baseUrl: request.baseUrl }, whole);
      return { status: operation.success, text: JSON.stringify(answer), revision: whole.record.revision };
    },
  });
}

/** Replaces a module. */
export async function replaceModule(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value, at }: ValidBody,
): Promise<ApiAnswer> {
  const given = { [keptField(operation)]: value };
  return await changeRecord(context, {
    operation,
    request,
    kind: operation.record as RecordKindName,
    id: request.path.id!,
    change: before => ({ ...before, ...given }),
    given,
    moduleAt: at,
    answer: record => {
      const maker = { box: context.box, baseUrl: request.baseUrl };
      const answer = moduleAnswer(maker, record, { field: operation.field!, shape: operation.answer! });
      return { status: operation.success, text: JSON.stringify(answer), revision: record.revision };
    },
  });
}

/** Removes a module; succeeds if there is none. */
export async function deleteModule(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<ApiAnswer> {
  return await changeRecord(context, {
    operation,
    request,
    kind: operation.record as RecordKindName,
    id: request.path.id!,
    change: before => ({ ...before, [keptField(operation)]: null }),
    given: {},
    answer: ({ revision }) => ({ status: operation.success, text: undefined, revision }),
  });
}

/** Returns the record field that stores a module. Both forms of a policy share one field. */
function keptField({ field, record }: Operation): string {
  if (field === undefined) throw notFound();
  return field === 'traffic_policy' && record !== 'endpoint' ? 'policy' : field;
}
