import { readFileSync } from 'node:fs';
import { render } from 'preact-render-to-string';
import type { ApiContext } from '../../api/http/context.js';
import { readStyles, sendDocument } from '../ui/document.js';
import type { OpenApi } from '../../api/openapi/open-api.js';
import { PARAGRAPHS } from '../../api/openapi/overview.js';
import type { PathId } from '../../api/resources/shared/resource.js';
import { ErrorCodes } from './error-codes.js';
import { EventTypes } from './event-types.js';
import { listEndpoints, Method, OperationView } from './operation-view.js';
import { COPY_SCRIPT } from '../ui/copy.js';
import { QuickStart } from './quick-start.js';
import { ResponseHeaders } from './response-headers.js';
import { Fields, MarkedText } from './schema-view.js';

const CSS = readStyles('ui/styles/reference');

/**
 * Finds all parts of the page (`data-find`) with all the words of the query, first those that have them in
 * their name. On a phone it closes the contents. `/` moves to the search.
 */
const SEARCH = readFileSync(new URL('./search.js', import.meta.url), 'utf8');

const toAnchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function Reference({ document, ids }: { document: OpenApi; ids: Record<string, PathId> }) {
  const endpoints = listEndpoints(document);
  const tags = document.tags.map(({ name }) => name);
  const endpointsIn = (tag: string) => endpoints.filter(({ operation }) => operation.tags[0] === tag);
  const schemas = Object.entries(document.components.schemas);
  return (
    <div class="page">
      <header class="side">
        <strong>Holdfast</strong>
        <search>
          <label for="find">Search</label>
          <input id="find" type="search" autocomplete="off" placeholder="slot_unavailable, refund" />
        </search>
        <p id="found" class="soft" role="status"></p>
        <nav aria-label="Results" hidden>
          <ul id="results"></ul>
        </nav>
        <details id="contents" open>
          <summary>Contents</summary>
          <nav aria-label="Contents">
            <h2>Overview</h2>
            <ul>
              <li>
                <a href="#quick-start">Quick start</a>
              </li>
              {PARAGRAPHS.map(([title]) => (
                <li key={title}>
                  <a href={`#${toAnchor(title)}`}>{title}</a>
                </li>
              ))}
            </ul>
            {tags.map((tag) => (
              <section key={tag}>
                <h2>{tag}</h2>
                <ul>
                  {endpointsIn(tag).map(({ method, operation }) => (
                    <li key={operation.operationId}>
                      <a href={`#${operation.operationId}`}>
                        <Method method={method} /> {operation.summary}
                      </a>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <h2>Objects</h2>
            <ul>
              <li>
                <a href="#event-types">Event types</a>
              </li>
              <li>
                <a href="#response-headers">Response headers</a>
              </li>
              <li>
                <a href="#error-codes">Error codes</a>
              </li>
              {schemas.map(([name]) => (
                <li key={name}>
                  <a href={`#${name}`}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
        </details>
      </header>
      <main>
        <h1>API reference</h1>
        <p class="soft">
          Also available as <a href="/v1/openapi.json">OpenAPI 3.1</a> for code generators and HTTP clients.
        </p>
        <QuickStart document={document} ids={ids} />
        <h2>Overview</h2>
        {PARAGRAPHS.map(([title, text]) => (
          <section key={title} id={toAnchor(title)} data-find={title}>
            <h3>{title}</h3>
            {text.split('\n\n').map((paragraph) => (
              <p key={paragraph}>
                <MarkedText text={paragraph} />
              </p>
            ))}
          </section>
        ))}
        {document.tags.map(({ name: tag, description }) => (
          <section key={tag}>
            <h2>{tag}</h2>
            <p>{description}</p>
            {endpointsIn(tag).map((endpoint) => (
              <OperationView
                key={endpoint.operation.operationId}
                endpoint={endpoint}
                document={document}
                ids={ids}
              />
            ))}
          </section>
        ))}
        <h2 id="event-types">Event types</h2>
        <article class="card">
          <EventTypes document={document} />
        </article>
        <h2 id="response-headers">Response headers</h2>
        <article class="card">
          <ResponseHeaders document={document} />
        </article>
        <h2 id="error-codes">Error codes</h2>
        <article class="card">
          <ErrorCodes />
        </article>
        <h2>Objects</h2>
        {schemas.map(([name, schema]) => (
          <article key={name} class="card" id={name} data-find={`${name} object`}>
            <h3>{name}</h3>
            <Fields schema={schema} />
          </article>
        ))}
      </main>
    </div>
  );
}

/** The reference as HTML. It is large: render it once. */
export const writeReference = (document: OpenApi, ids: Record<string, PathId>): string =>
  render(<Reference document={document} ids={ids} />);

/** Sends the reference: one page, which also works without the search script. */
export function showReference(ctx: ApiContext, html: string): void {
  sendDocument(ctx, 200, {
    title: 'Holdfast API reference',
    css: CSS,
    script: SEARCH + COPY_SCRIPT,
    children: <div dangerouslySetInnerHTML={{ __html: html }} />,
  });
}
