import joi from 'joi';
import * as s from '../shared/shapes.js';

/** A client as `presentOauthClient` returns it. */
export const oauthClient = s.shape({
  client_id: s.idOf('client'),
  name: s.anyText.description('The name of the application, as shown on the consent page.'),
  redirect_uris: joi
    .array()
    .items(joi.string())
    .description('The URIs to which the browser can be redirected with an authorization code.'),
  public: joi.boolean().description('Whether the client has no secret.'),
  created_at: s.instant,
});

/** With its secret, or null if there is none to show. */
export const created = oauthClient.keys({
  client_secret: s.nullableText
    .required()
    .description('The secret. Returned only once; null for a public client and in a repeat.'),
});
