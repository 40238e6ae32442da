import joi from 'joi';
import * as s from '../resource/shapes.js';

/** A client as `presentOauthClient` returns it. */
export const oauthClient = s.shape({
  client_id: s.idOf('client'),
  name: s.anyText,
  redirect_uris: joi.array().items(joi.string()),
  public: joi.boolean(),
  created_at: s.instant,
});

/** With its secret, or null if there is none to show. */
export const created = oauthClient.keys({ client_secret: s.nullableText.required() });
