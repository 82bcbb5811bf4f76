import { STRING, URL } from '../actions/config-types.ts';
import type { ActionFact } from '../schema/action-fact.ts';
import { ON_REQUEST } from './availability.ts';

/** Keys of standard providers are part of the account; refusal 2267 says so. */
const OF_CUSTOM_PROVIDERS = {
  key: 'base_url',
  instead: "remove it and attach provider keys to the gateway's API key",
} as const;

export const GATEWAY_ACTIONS = [
  {
    ...ON_REQUEST,
    type: 'ai-gateway',
    doc: 'Routes the request to an AI model provider.',
    terminates: 'always',
    isHeavy: true,
    outcome: 'the response of the provider',
    onlyOneOf: 'ai-gateway',
    config: [
      {
        name: 'providers',
        type: {
          kind: 'list',
          of: {
            kind: 'object',
            open: true,
            fields: [
              { name: 'id', type: STRING, doc: 'The id of the provider.' },
              { name: 'base_url', type: URL, interpolation: 'expressions', doc: 'The URL of a custom provider.' },
              {
                name: 'api_keys',
                type: { kind: 'any' },
                role: 'secret',
                interpolation: 'expressions',
                onlyWith: OF_CUSTOM_PROVIDERS,
                doc: 'The keys of a custom provider.',
              },
              {
                name: 'api_key_selection',
                type: { kind: 'any' },
                onlyWith: OF_CUSTOM_PROVIDERS,
                doc: 'How to choose among the keys.',
              },
            ],
          },
        },
        default: [],
        doc: 'The providers to use.',
      },
    ],
    openConfig: true,
    example: {
      providers: [
        { id: 'openai' },
        { id: 'own', base_url: 'https://models.internal', api_keys: [{ value: "${secrets.get('models', 'key')}" }] },
      ],
    },
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];
