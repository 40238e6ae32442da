/** The input of `presentOauthClient`. */
export interface OauthClientFacts {
  id: string;
  name: string;
  redirect_uris: string[];
  /** Null for a public client. */
  secret_hash: Uint8Array | null;
  created_at: Date;
}

/** An OAuth client as the API returns it (docs/rules/credentials.md#oauth), never with its secret. */
export function presentOauthClient(client: OauthClientFacts) {
  return {
    client_id: client.id,
    name: client.name,
    redirect_uris: client.redirect_uris,
    public: client.secret_hash === null,
    created_at: client.created_at.toISOString(),
  };
}
