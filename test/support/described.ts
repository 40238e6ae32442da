import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  isReference,
  type OpenApi,
  type Reference,
  type Response as DescribedResponse,
} from '../../api/openapi/open-api.js';
import { listCodes } from '../../api/openapi/responses.js';
import { addApiFormats } from './api-formats.js';
import type { ApiResponse } from './api-response.js';
import { closedDocument } from './closed-document.js';
import { recordResponse } from './responses.js';
import type { Failure } from './api-bodies.js';

/** A part of the document, or a reference to one. */
type Referable<T> = T | Reference;

/** A request. */
export interface Sent {
  method: string;
  /** Path with query. */
  target: string;
  body?: unknown;
}

const pointer = (...path: string[]): string =>
  `#/${path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** Sorts templates with fewer parameters and longer text first, as the router matches them. */
const literalFirst = (a: string, b: string): number =>
  a.split('{').length - b.split('{').length || b.length - a.length;

/** The API document, to validate responses against. Schemas are compiled on first use. */
export class Description {
  readonly #document: OpenApi;
  /** Compiles fast, since each process uses most schemas only a few times. */
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  readonly #paths: { template: string; pattern: RegExp }[];
  readonly #seen = new Set<string>();

  constructor(document: OpenApi) {
    this.#document = document;
    addApiFormats(this.#ajv);
    this.#ajv.addSchema(closedDocument(document), 'api');
    this.#paths = Object.keys(document.paths)
      .sort(literalFirst)
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      }));
  }

  /** Throws if the response, or the body of a successful request, does not conform to the document. */
  validate(
    { method, target, body: sent }: Sent,
    { status, headers, body }: ApiResponse<Failure | string>,
  ): void {
    const [path = ''] = target.split('?');
    if (!path.startsWith('/v1/') || method === 'HEAD') return;
    const template = this.#paths.find(({ pattern }) => pattern.test(path))?.template;
    const verb = method.toLowerCase();
    const operation = template && this.#document.paths[template]![verb];
    const what = `${method} ${template ?? path}`;
    if (!operation) {
      if (status < 400) throw new Error(`${what} returned ${status} and is not in the document: ${WHERE}`);
      return this.#check(pointer('components', 'schemas', 'Error'), body, `${what}, ${status}`);
    }
    this.#note(`${what} ${status}`);
    const described = operation.responses[status];
    if (!described) {
      const code = (body as Failure)?.error?.code ?? '';
      throw new Error(`${what} returned ${status} ${code}, which the document does not list: ${WHERE}`);
    }
    for (const [name, header] of Object.entries(this.#resolve(described).headers ?? {}))
      if (this.#resolve(header).required && !headers.has(name))
        throw new Error(`${what} returned ${status} without the header ${name}.`);
    const at = pointer('paths', template, verb);
    this.#checkBody(described, `${at}/responses/${status}`, what, status, headers, body);
    const asked = operation.requestBody?.content['application/json'];
    if (status < 300 && asked && isPlain(sent))
      this.#check(
        `${at}/requestBody/content/application~1json/schema`,
        JSON.parse(JSON.stringify(sent)),
        `the body of ${what}`,
      );
  }

  #checkBody(
    response: Referable<DescribedResponse>,
    at: string,
    what: string,
    status: number,
    headers: Headers,
    body: unknown,
  ): void {
    const { content } = this.#resolve(response);
    const { code } = (body as Failure | undefined)?.error ?? {};
    if (status >= 400 && code && !listCodes(this.#document, response).includes(code))
      throw new Error(`${what} returned ${status} ${code}, which the document does not list: ${WHERE}`);
    if (!content) {
      if (body !== '')
        throw new Error(`${what} returned ${status} with a body; the document has none: ${WHERE}`);
      return;
    }
    const type = headers.get('content-type')?.split(';')[0] ?? 'nothing';
    if (!content[type])
      throw new Error(`${what} returned ${status} as ${type}, which the document does not list: ${WHERE}`);
    const base = isReference(response) ? response.$ref : at;
    if (type === 'application/json')
      this.#check(`${base}/content/application~1json/schema`, body, `${what}, ${status}`);
  }

  #resolve<T extends object>(part: Referable<T>): T {
    if (!isReference(part)) return part;
    const steps = part.$ref.slice(2).split('/');
    return steps.reduce<object>((at, step) => at[step as keyof object], this.#document) as T;
  }

  #check(ref: string, value: unknown, what: string): void {
    const validate = this.#ajv.getSchema(`api${ref}`);
    if (!validate) throw new Error(`The document has no ${ref}.`);
    if (validate(value)) return;
    const errors = validate.errors!.map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
    throw new Error(
      `${what} does not match the document: ${errors.slice(0, 6).join('; ')}; ` +
        `${WHERE}\n${JSON.stringify(value).slice(0, 2_000)}`,
    );
  }

  #note(response: string): void {
    if (this.#seen.has(response)) return;
    this.#seen.add(response);
    recordResponse(process.env.HOLDFAST_DEV_JSON!, response);
  }
}

const WHERE = 'see openapi.ts and responses.ts in the folder of its resource in api/.';
const isPlain = (sent: unknown): boolean =>
  typeof sent === 'object' && sent !== null && !Buffer.isBuffer(sent) && !(sent instanceof URLSearchParams);
