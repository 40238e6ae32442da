import { SCOPES } from '../../domain/api-keys/key-scope.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { Handler } from '../../api/http/context.js';
import { AUTHORIZE_PATH, REVOKE_PATH, TOKEN_PATH } from './paths.js';

const CLIENT_AUTHENTICATION = ['none', 'client_secret_basic', 'client_secret_post'];

/** The metadata of the authorization server (RFC 8414). */
export function showMetadata({ publicUrl }: Pick<ApiDependencies, 'publicUrl'>): Handler {
  return async (ctx) => {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.body = {
      issuer: publicUrl,
      authorization_endpoint: publicUrl + AUTHORIZE_PATH,
      token_endpoint: publicUrl + TOKEN_PATH,
      revocation_endpoint: publicUrl + REVOKE_PATH,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      authorization_response_iss_parameter_supported: true,
    };
  };
}
