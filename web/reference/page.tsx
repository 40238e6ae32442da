import { render } from 'preact-render-to-string';
import type { ApiContext } from '../../api/http/context.js';
import { sendDocument } from '../ui/document.js';
import type { JsonSchema } from '../../api/openapi/json-schema.js';
import { PARAGRAPHS } from '../../api/openapi/overview.js';
import type { PathId } from '../../api/resources/shared/resource.js';
import { ErrorCodes } from './error-codes.js';
import { EventTypes } from './event-types.js';
import { SEARCH } from './search.js';
import { endpointsOf, Method, Operation } from './operation-view.js';
import { Fields, Prose } from './schema-view.js';

const CSS = `
  html { scroll-padding-top: 1rem; }
  .page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto; }
  .side { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 2rem 1.5rem;
          border-right: 1px solid var(--line); font-size: .9rem; }
  .side strong { font-size: 1.1rem; } .side label { margin: .75rem 0 .25rem; font-size: .8rem; }
  .side summary { font-weight: 600; } .side h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .04em;
          color: var(--soft); margin: 1.2rem 0 .3rem; }
  nav ul { list-style: none; margin: 0; padding: 0; }
  nav a { display: flex; gap: .5rem; align-items: baseline; padding: .2rem 0; color: inherit; text-decoration: none; }
  nav a:hover { color: var(--accent); } [hidden] { display: none !important; }
  main { padding: 1.5rem 2rem 6rem; } h1 { margin: 0 0 1rem; font-size: 1.8rem; }
  h2 { font-size: 1.4rem; margin: 3rem 0 1rem; } h3 { font-size: 1.15rem; margin: 0 0 .25rem; }
  h4 { margin: 1.2rem 0 .4rem; font-size: .95rem; } p { margin: .5rem 0; } .soft { color: var(--soft); }
  article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.5rem;
            margin-bottom: 1.25rem; }
  .method { font: 600 .7rem ui-monospace, monospace; color: var(--accent); } nav .method { width: 3.2rem; flex: none; }
  .path .method { border: 1px solid currentColor; border-radius: 6px; padding: .1rem .4rem; }
  .POST, .PUT { color: var(--good); } .PATCH { color: var(--warn); } .DELETE { color: var(--bad); }
  .fields { margin: 0; font-size: .9rem; border: 1px solid var(--line); border-radius: 9px; }
  .fields > div { padding: .5rem .75rem; border-bottom: 1px solid var(--line); }
  .fields > div:last-child { border-bottom: 0; } .fields > div:target { border-left: 3px solid var(--accent); }
  dt, dd { overflow-wrap: anywhere; } dd { margin: .1rem 0 0; }
  .required { color: var(--bad); font-size: .8rem; } dt .soft { font-size: .85rem; }
  summary { cursor: pointer; color: var(--accent); } ul.codes { margin: .75rem 0; padding-left: 1.2rem; }
  figure { margin: .75rem 0 0; } figcaption { font-size: .8rem; }
  pre { background: #14181c; color: #e6ebe8; padding: 1rem; border-radius: 9px; overflow: auto; max-height: 24rem;
        margin: .25rem 0 0; }
  pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; } pre code { overflow-wrap: normal; }
  @media (max-width: 50rem) { .page { display: block; }
    .side { height: auto; max-height: 70vh; padding: .75rem 1rem; border: 0; border-bottom: 1px solid var(--line);
            background: var(--paper); z-index: 1; }
    .side strong { display: none; } .side label { margin-top: 0; } html { scroll-padding-top: 9rem; }
    main { padding: 1rem 1rem 4rem; } article { padding: 1rem; } nav a { padding: .45rem 0; } }
`;

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function Reference({ document, ids }: { document: JsonSchema; ids: Record<string, PathId> }) {
  const endpoints = endpointsOf(document);
  const tags: string[] = document.tags.map(({ name }: { name: string }) => name);
  const endpointsIn = (tag: string) => endpoints.filter(({ operation }) => operation.tags[0] === tag);
  const schemas = Object.entries<JsonSchema>(document.components.schemas);
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
              {PARAGRAPHS.map(([title]) => (
                <li key={title}>
                  <a href={`#${anchorOf(title)}`}>{title}</a>
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
        <h2>Overview</h2>
        {PARAGRAPHS.map(([title, text]) => (
          <section key={title} id={anchorOf(title)} data-find={title}>
            <h3>{title}</h3>
            {text.split('\n\n').map((paragraph) => (
              <p key={paragraph}>
                <Prose text={paragraph} />
              </p>
            ))}
          </section>
        ))}
        {tags.map((tag) => (
          <section key={tag}>
            <h2>{tag}</h2>
            {endpointsIn(tag).map((endpoint) => (
              <Operation
                key={endpoint.operation.operationId}
                endpoint={endpoint}
                document={document}
                ids={ids}
              />
            ))}
          </section>
        ))}
        <h2 id="event-types">Event types</h2>
        <article>
          <EventTypes document={document} />
        </article>
        <h2 id="error-codes">Error codes</h2>
        <article>
          <ErrorCodes />
        </article>
        <h2>Objects</h2>
        {schemas.map(([name, schema]) => (
          <article key={name} id={name} data-find={`${name} object`}>
            <h3>{name}</h3>
            <Fields schema={schema} />
          </article>
        ))}
      </main>
    </div>
  );
}

/** The reference as HTML. It is large: render it once. */
export const writeReference = (document: JsonSchema, ids: Record<string, PathId>): string =>
  render(<Reference document={document} ids={ids} />);

/** Sends the reference: one page, which works without the script of its search too. */
export function showReference(ctx: ApiContext, html: string): void {
  sendDocument(ctx, 200, {
    title: 'Holdfast API reference',
    css: CSS,
    script: SEARCH,
    children: <div dangerouslySetInnerHTML={{ __html: html }} />,
  });
}
