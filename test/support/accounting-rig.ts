import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as oauth from 'oauth4webapi';
import { AccountingApi, Invoice, LineAmountTypes, type LineItem } from 'xero-node';
import type { AccountingLedger } from './ledgers.js';

export const SCOPE =
  'openid offline_access accounting.invoices accounting.payments accounting.contacts accounting.settings';
export const CALLBACK = 'http://127.0.0.1:1/callback';

export const CLIENT: oauth.Client = { client_id: 'test-app' };
export const SECRET = 'test-secret+/=';
const LOCAL = { [oauth.allowInsecureRequests]: true };

/** An organisation that the app can access, and a stock client for it. */
export interface Books {
  tenant: string;
  api: AccountingApi;
  tokens: oauth.TokenEndpointResponse;
}

/** A simulator in its own process, and stock clients for it. */
export class Rig {
  private process!: ChildProcess;
  private port = 0;
  private server!: oauth.AuthorizationServer;

  private constructor(private readonly folder: string) {}

  static async start(): Promise<Rig> {
    const rig = new Rig(await mkdtemp(join(tmpdir(), 'accounting-')));
    await rig.startAccounting();
    return rig;
  }

  async startAccounting(): Promise<void> {
    this.process = spawn(process.execPath, ['build/dev/accounting/main.js'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        ACCOUNTING_PORT: String(this.port),
        ACCOUNTING_DATA: this.folder,
        XERO_CLIENT_ID: CLIENT.client_id,
        XERO_CLIENT_SECRET: SECRET,
      },
    });
    const [message] = (await once(this.process, 'message')) as [{ port: number }];
    this.port = message.port;
    const issuer = new URL(this.url(''));
    this.server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, LOCAL));
  }

  async stopAccounting(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }

  async close(): Promise<void> {
    await this.stopAccounting('SIGKILL');
    await rm(this.folder, { recursive: true });
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  async sim(path: string, body: object = {}) {
    const answer = await fetch(this.url(`/_sim/${path}`), { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} returned ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async ledger(tenant: string): Promise<AccountingLedger> {
    return (await (await fetch(this.url(`/_sim/ledger?tenant=${tenant}`))).json()) as AccountingLedger;
  }

  /** A new organisation, connected as the service connects it. */
  async books(given: object = {}): Promise<Books> {
    const flow = await this.beginFlow();
    const made = await this.sim('organisations', {
      name: 'Harbour House',
      ...given,
      authorize_url: flow.authorizeUrl,
    });
    const tokens = await flow.finish(made.redirect_url);
    return { tenant: made.tenant_id, api: this.api(tokens.access_token), tokens };
  }

  /** A stock client with a token. */
  api(accessToken: string): AccountingApi {
    const api = new AccountingApi(this.url('/api.xro/2.0'));
    api.accessToken = accessToken;
    return api;
  }

  /** The authorization code flow of a stock OAuth client. */
  async beginFlow({ scope = SCOPE } = {}) {
    const [verifier, state, nonce] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
    ];
    const url = new URL(this.server.authorization_endpoint!);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT.client_id,
      redirect_uri: CALLBACK,
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    return {
      authorizeUrl: url.href,
      /** Completes the flow with the URL that the user was redirected to. */
      finish: async (redirectUrl: string): Promise<oauth.TokenEndpointResponse> => {
        const params = oauth.validateAuthResponse(this.server, CLIENT, new URL(redirectUrl), state);
        const answer = await oauth.authorizationCodeGrantRequest(
          this.server,
          CLIENT,
          oauth.ClientSecretBasic(SECRET),
          params,
          CALLBACK,
          verifier,
          LOCAL,
        );
        const expectedNonce = scope.includes('openid') ? nonce : undefined;
        return oauth.processAuthorizationCodeResponse(this.server, CLIENT, answer, { expectedNonce });
      },
    };
  }

  async refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse> {
    const auth = oauth.ClientSecretBasic(SECRET);
    const answer = await oauth.refreshTokenGrantRequest(this.server, CLIENT, auth, refreshToken, LOCAL);
    return oauth.processRefreshTokenResponse(this.server, CLIENT, answer);
  }

  async revoke(token: string): Promise<void> {
    const auth = oauth.ClientSecretBasic(SECRET);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(this.server, CLIENT, auth, token, LOCAL),
    );
  }

  async connections(accessToken: string) {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await (await fetch(this.url('/connections'), { headers })).json()) as Connection[];
  }
}

interface Connection {
  id: string;
  tenantId: string;
  tenantName: string;
}

let counter = 0;

/** A line of £25.00 at 20 %. */
export const line = (overrides: Partial<LineItem> = {}): LineItem => ({
  description: 'Room hire',
  quantity: 1,
  unitAmount: 25,
  accountCode: '200',
  taxType: 'OUTPUT2',
  ...overrides,
});

/** An invoice of £30.00 that awaits approval. */
export function invoice(overrides: Partial<Invoice> = {}): Invoice {
  counter += 1;
  return {
    type: Invoice.TypeEnum.ACCREC,
    invoiceNumber: `HF-${process.pid}-${counter}`,
    contact: { name: 'Grace Guest' },
    date: '2026-10-01',
    dueDate: '2026-10-31',
    lineAmountTypes: LineAmountTypes.Exclusive,
    lineItems: [line()],
    status: Invoice.StatusEnum.SUBMITTED,
    ...overrides,
  };
}

export const newKey = (): string => randomUUID();

/** Creates an invoice and returns it as stored. */
export async function create({ api, tenant }: Books, overrides: Partial<Invoice> = {}): Promise<Invoice> {
  const { body } = await api.createInvoices(tenant, { invoices: [invoice(overrides)] }, true);
  return body.invoices![0]!;
}

interface RefusalBody {
  Type: string;
  Detail: string;
  Elements?: { ValidationErrors: { Message: string }[] }[];
}

export interface Refusal {
  status: number;
  body: RefusalBody;
  headers: Record<string, string>;
  /** Xero's error messages. */
  messages: string[];
}

/** The refusal of a stock client's call. */
export async function refused(call: Promise<unknown>): Promise<Refusal> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (typeof outcome !== 'string') throw new Error(`Expected a refusal, not: ${String(outcome)}`);
  const { statusCode, body, headers } = JSON.parse(outcome).response as {
    statusCode: number;
    body: RefusalBody;
    headers: Record<string, string>;
  };
  const messages = (body?.Elements ?? []).flatMap(({ ValidationErrors }) =>
    ValidationErrors.map((each) => each.Message),
  );
  return { status: statusCode, body, headers, messages };
}
