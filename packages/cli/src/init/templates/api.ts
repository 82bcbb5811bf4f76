import type { PolicyTemplate } from './policy-template.ts';

export const API: PolicyTemplate = {
  name: 'api',
  summary: 'an API that requires a JSON Web Token, with CORS',
  endpoint: 'http-endpoint',
  policy: `\
# Lets browsers of one web application, and programs, call an API with a JSON Web Token.
on_http_request:
  - name: answer CORS preflights
    expressions:
      - req.method == 'OPTIONS'
      - "'origin' in req.headers && 'access-control-request-method' in req.headers"
    actions:
      - type: custom-response
        config:
          status_code: 204
          headers:
            access-control-allow-origin: https://app.example.com
            access-control-allow-methods: GET, POST, PUT, DELETE
            access-control-allow-headers: authorization, content-type
            access-control-max-age: "600"

  - name: require a token
    actions:
      - type: jwt-validation
        config:
          issuer:
            allow_list:
              - value: https://id.example.com/
          audience:
            allow_list:
              - value: https://api.example.com
          http:
            tokens:
              - type: jwt
                method: header
                name: Authorization
                prefix: "Bearer "
          jws:
            allowed_algorithms:
              - RS256
            keys:
              sources:
                additional_jkus:
                  - https://id.example.com/.well-known/jwks.json

on_http_response:
  - name: let the web application read responses
    expressions:
      - req.method != 'OPTIONS'
      - "'origin' in req.headers && req.headers['origin'] == ['https://app.example.com']"
    actions:
      - type: add-headers
        config:
          headers:
            access-control-allow-origin: https://app.example.com
            vary: origin
`,
  tests: `\
tests:
  - name: preflights need no token
    request:
      method: OPTIONS
      url: https://api.example.com/orders
      headers: { Origin: https://app.example.com, Access-Control-Request-Method: PUT }
    expect:
      outcome: answered
      status: 204
      headers: { access-control-allow-origin: https://app.example.com }
      rules: { require a token: not-reached }

  - name: all other requests are checked for a token
    request:
      method: GET
      url: https://api.example.com/orders
      headers: { Origin: https://app.example.com }
    expect:
      rules: { answer CORS preflights: not-matched, require a token: matched }
`,
};
