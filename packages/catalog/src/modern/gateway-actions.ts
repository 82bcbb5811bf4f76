import { TEXT, URL } from '../actions/config-types.ts';
import type { ActionFact } from '../schema/action-fact.ts';
import { ON_REQUEST } from './availability.ts';

/** Keys of a standard provider belong to the account since the number 2267 exists. */
const OF_CUSTOM_PROVIDERS = {
  key: 'base_url',
  instead: 'remove it and attach provider keys to the API key of the gateway',
} as const;

export const GATEWAY_ACTIONS = [
  {
    ...ON_REQUEST,
    type: 'ai-gateway',
    doc: 'Routes the request to a provider of AI models.',
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
              { name: 'id', type: TEXT, doc: 'Id of the provider.' },
              { name: 'base_url', type: URL, interpolation: 'expressions', doc: 'URL of a custom provider.' },
              {
                name: 'api_keys',
                type: { kind: 'any' },
                role: 'secret',
                interpolation: 'expressions',
                onlyWith: OF_CUSTOM_PROVIDERS,
                doc: 'Keys of a custom provider.',
              },
              {
                name: 'api_key_selection',
                type: { kind: 'any' },
                onlyWith: OF_CUSTOM_PROVIDERS,
                doc: 'Which of the keys to use.',
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
