import joi from 'joi';
import type { ComponentChildren } from 'preact';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import type { Operation, Route } from '../../../api/http/operation.js';
import { validate } from '../../../api/http/validate.js';
import { ApiError } from '../../../domain/errors.js';
import { can, type Capability } from '../../../domain/policies.js';
import { PRICES_ENTERED } from '../../../domain/rates/entered-price.js';
import type { IconName } from '../../ui/icons.js';
import { Action as ClosedForm, Drawer, DrawerButton } from '../shared/action.js';
import { taxWords } from '../shared/entered-price.js';
import { pathIn } from '../shared/paths.js';
import {
  ReturnedToForm,
  showConfirmation,
  showedOtherAmount,
  type Confirmation,
} from '../shared/confirmation.js';
import { Form as FormElement, formIdempotencyKey, hiddenFields } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { asksForOwnSignIn, showOwnSignIn, type OwnSignIn } from '../shared/own-sign-in.js';
import { readUpload } from '../shared/picture-upload.js';
import { showSection, type Shown as ShownPage } from '../shared/workspace.js';
import { bodyWith, type Entry, type Submitted } from './fields.js';
import { ownCode, renderInputs, type Inputs, type Shown } from './inputs.js';
import { pathOfPage, run, type PageProps, type Runs } from './page.js';

/** A submitted form: the body of its operation, and the page that it is on. */
export interface Sent<Body, Data> {
  body: Body;
  data: Data;
  ctx: ApiContext;
}

/** What a form calls: an API operation, or an action that only the dashboard has. */
export type Action<R extends Route, Body, Result> = Pick<
  Operation<R, Body, undefined, Result>,
  'capability' | 'authorize' | 'body' | 'upload' | 'concurrent'
> &
  Runs<R, Body, undefined, Result>;

/** Declares an action that only the dashboard has. `id` is that of the path of its page or form. */
export const action = <Result, Body = undefined>(
  declared: Action<'POST /v1/:id', Body, Result> & { capability: Capability },
): Action<'POST /v1/:id', Body, Result> => declared;

/** Words, which can depend on what the page shows. */
type Words<Data> = string | ((data: Data, ctx: ApiContext) => string);

export interface FormOptions<Body, Result, Data> {
  /** Its path after that of its page. */
  path?: string;
  /** Required in addition to the operation's capability. */
  capability?: Capability;
  summary?: Words<Data>;
  button: Words<Data>;
  /** True for an action that is rare or cannot be undone. */
  rare?: boolean;
  /** The effect, shown before its button. */
  explains?: ComponentChildren;
  /** Shown below its inputs. */
  hint?: ComponentChildren;
  /** Takes the full width of the page. */
  wide?: true;
  /** One of several forms of a page: its entries are kept when another one is saved. */
  part?: true;
  /** Keeps the page's query when it is shown again. */
  keepsQuery?: true;
  /** The object that it changes, as the API shows it; without one it creates one. */
  of?: (data: Data) => object;
  /**
   * Sends only the fields that differ from those of the object as the form showed it, and so leaves what
   * others have changed since.
   */
  onlyChanges?: true;
  /** In which currency and time zone its amounts and times are; by default those of the workspace. */
  entry?: (data: Data, submitted?: Submitted) => Partial<Entry>;
  /**
   * Its amounts are prices without tax, which people enter as the workspace prefers: their rate of tax in
   * basis points. `submitted`: the form, or a row of its list.
   */
  taxRate?: (data: Data, submitted?: Submitted) => number | undefined;
  /** The schema that its fields are of, if the body contains it. */
  schema?: joi.ObjectSchema;
  /** The body, if it is more than what was entered. */
  body?: (
    entered: Record<string, unknown>,
    at: Entry & { data: Data; ctx: ApiContext; deps: ApiDependencies },
  ) => unknown;
  /** Names in error messages of fields without an input. */
  called?: Record<string, string>;
  /** The ids of its operation's path, if they are not those of the page's path. */
  params?: (submitted: Submitted, ctx: ApiContext) => Record<string, string>;
  /** The version that it changes, for `If-Match`. */
  version?: (data: Data) => number;
  /** A confirmation, or a page with its own form that replaces it; null if there is nothing to confirm. */
  confirm?: (sent: Sent<Body, Data>, deps: ApiDependencies) => Promise<Confirmation | ShownPage | null>;
  /**
   * Whether it needs a fresh proof (docs/rules/credentials.md#fresh-proof): always, before its body is read,
   * or depending on the body.
   */
  proof?: true | ((sent: Sent<Body, Data>) => boolean);
  /**
   * Requires the owner, or the people that the function selects, to be signed in without the workspace's
   * provider (docs/rules/single-sign-on.md#what-it-opens).
   */
  ownSignIn?: OwnSignIn<Sent<Body, Data>>;
  /** The banner on the next page. */
  notice?: (result: Result, sent: Sent<Body, Data>) => string;
  /** Shown once in place of the next page: a secret. Null for nothing. */
  show?: (result: Result, sent: Sent<Body, Data>) => { title: string; children: ComponentChildren } | null;
  /** Responds with a page outside of the dashboard instead of the next one. */
  leave?: (result: Result, sent: Sent<Body, Data>, deps: ApiDependencies) => void | Promise<void>;
  /** The next page, as a path after the workspace's; by default this one. */
  to?: (result: Result, request: { params: Record<string, string>; submitted: Submitted }) => string;
}

/** A form of a page that calls an operation: with its rights, its validation and its idempotency. */
export interface Form<Data> {
  path: string;
  /** Capabilities that the role needs. */
  capabilities: readonly Capability[];
  fields: Record<string, joi.Schema>;
  needsProof: boolean;
  /** The most bytes of its file, if it takes one. */
  maxFileBytes?: number;
  /** Concurrent requests per workspace. */
  concurrent?: number;
  /** Names of its fields in error messages, by path. */
  called: Record<string, string>;
  /** Handles a submission. `prove` asks for a proof and then continues. `nav`: as in `navigationPath`. */
  submit(
    ctx: ApiContext,
    deps: ApiDependencies,
    page: { at: string; nav: string; data: Data },
    prove: Handler,
  ): Promise<void>;
  /** The inputs with their values: of the object that it changes, or of `of`. */
  Inputs(props: { page: PageProps<Data>; of?: object }): ComponentChildren;
  /** The form as a card, with what comes before its inputs. It takes effect once. */
  Open(props: { page: PageProps<Data>; children?: ComponentChildren }): ComponentChildren;
  /** The form, closed until it is needed. It takes effect once. */
  Closed(props: { page: PageProps<Data>; children?: ComponentChildren }): ComponentChildren;
  /**
   * The form in a drawer, which a button opens: a page's main action, unless it is `quiet`. A form that
   * creates something has a plus. Nothing for roles that cannot send it. It takes effect once.
   */
  Drawer(props: {
    page: PageProps<Data>;
    quiet?: boolean;
    /** Whether the button warns; by default that of a form that is rare. */
    rare?: boolean;
    icon?: IconName;
    children?: ComponentChildren;
  }): ComponentChildren;
  /** Another button that opens the form's drawer, which is elsewhere on the page. */
  Opener(props: { page: PageProps<Data>; quiet?: boolean }): ComponentChildren;
  /** The form as a button alone, by default with its own label. It takes effect once. */
  Button(props: {
    page: PageProps<Data>;
    label?: string;
    quiet?: true;
    target?: '_blank';
  }): ComponentChildren;
  /** A form without inputs in a drawer, for a row of a list. `of`: the ids in its path. Takes effect once. */
  InRow(props: { page: PageProps<Data>; of?: Record<string, string> }): ComponentChildren;
}

const versionField = joi
  .string()
  .pattern(/^\d{1,9}$/)
  .required();

/** The hidden field that says whether the form was shown for prices with tax. */
const PRICES_ENTERED_AS = 'entered_as';

/** Errors: 422 if the workspace has switched between prices with and without tax since the form was shown. */
function assertEnteredAs(ctx: ApiContext, submitted: Submitted): void {
  const { prices_entered } = ctx.state.membership!;
  if ((submitted[PRICES_ENTERED_AS] ?? prices_entered) === prices_entered) return;
  throw new ApiError('validation_failed', `Prices are now entered ${taxWords(ctx)}. Check them.`);
}

/** The hidden field with the object as the form showed it. */
const BEFORE = 'before';

const wordIn = <Data,>(word: Words<Data>, { data, ctx }: PageProps<Data>): string =>
  typeof word === 'string' ? word : word(data, ctx);

/** The inputs in their order: narrow ones side by side. */
function Grid({ inputs }: { inputs: { name: string; wide: boolean; shown: ComponentChildren }[] }) {
  const rows: (typeof inputs)[] = [];
  for (const input of inputs) {
    const row = rows.at(-1);
    if (row && !input.wide && !row[0]!.wide) row.push(input);
    else rows.push([input]);
  }
  return (
    <>
      {rows.map((row) =>
        row[0]!.wide ? (
          row[0]!.shown
        ) : (
          <div class="grid" key={row[0]!.name}>
            {row.map(({ name, shown }) => (
              <div key={name}>{shown}</div>
            ))}
          </div>
        ),
      )}
    </>
  );
}

/**
 * A form that calls an operation. `declared`: its inputs; limits, current values, parsing and the places of
 * errors come from the operation.
 */
export function form<R extends Route, Body, Result, Data>(
  operation: Action<R, Body, Result>,
  declared: Inputs<Data>,
  options: FormOptions<Body, Result, Data>,
): Form<Data> {
  const { path = '', version, confirm, proof, notice, show, leave, to } = options;
  // A code of their own is for people who have signed in by themselves.
  const ownSignIn = declared.code === ownCode || options.ownSignIn;
  const schema = options.schema ?? operation.body ?? joi.object();
  const place = { body: schema, isChange: options.of !== undefined };
  const inputs = renderInputs(declared);
  const formEntry = (ctx: ApiContext, data: Data, submitted?: Submitted): Entry => {
    const { currency, time_zone, prices_entered } = ctx.state.membership!;
    const tax_bps = prices_entered === 'gross' ? options.taxRate?.(data, submitted) : undefined;
    return { currency, time_zone, tax_bps, ...options.entry?.(data, submitted) };
  };

  /** The body of a submitted form. Errors: 422. */
  async function readBody(
    submitted: Submitted,
    data: Data,
    ctx: ApiContext,
    deps: ApiDependencies,
  ): Promise<Body> {
    if (options.taxRate) assertEnteredAs(ctx, submitted);
    const entry = formEntry(ctx, data, submitted);
    const rowEntry = (row: Submitted): Entry => formEntry(ctx, data, row);
    const { onlyChanges } = options;
    const of = submitted[BEFORE] ?? options.of?.(data);
    const at = { ...place, entry, rowEntry, of, onlyChanges };
    const values = Object.assign({}, ...inputs.map(([name, { read }]) => read(name, submitted, at)));
    const entered = bodyWith(values, schema);
    if (onlyChanges && Object.keys(entered).length === 0)
      throw new ApiError('validation_failed', 'No changes.');
    const body = options.body ? await options.body(entered, { ...entry, data, ctx, deps }) : entered;
    return operation.body ? validate(operation.body, body, false) : (undefined as Body);
  }

  const Inputs: Form<Data>['Inputs'] = ({ page: { ctx, at, data }, of = options.of?.(data) }) => {
    const action = pathIn(ctx, at + path);
    const shown: Shown<Data> = { ...place, ctx, action, data, of, entry: formEntry(ctx, data) };
    const { rejection } = ctx.state;
    const isKept = rejection?.action === action && !rejection.isStale;
    return (
      <>
        {version && (
          <input
            type="hidden"
            name="version"
            value={String(isKept ? rejection.submitted.version : version(data))}
          />
        )}
        {options.onlyChanges && (
          <input
            type="hidden"
            name={BEFORE}
            value={(isKept && (rejection.submitted[BEFORE] as string)) || JSON.stringify(of)}
          />
        )}
        {options.taxRate && (
          <input type="hidden" name={PRICES_ENTERED_AS} value={ctx.state.membership!.prices_entered} />
        )}
        <Grid
          inputs={inputs.map(([name, { wide, Show }]) => ({
            name,
            wide: wide(name, place),
            shown: <Show key={name} name={name} shown={shown} />,
          }))}
        />
      </>
    );
  };

  const capabilities = [operation.capability, options.capability].filter((one) => one !== undefined);
  const maySend = (ctx: ApiContext): boolean =>
    capabilities.every((capability) => can(ctx.state.membership!.role, capability));
  /** What is between the title and the button of a form that explains itself. */
  const Content = ({ page, children }: { page: PageProps<Data>; children?: ComponentChildren }) => (
    <>
      <Inputs page={page} />
      {options.explains && <p>{options.explains}</p>}
      {options.hint && <p class="hint">{options.hint}</p>}
      {children}
    </>
  );

  return {
    path,
    capabilities,
    fields: Object.assign(
      {
        ...hiddenFields,
        ...(version && { version: versionField }),
        ...(options.onlyChanges && {
          [BEFORE]: joi.string().custom((text: string): unknown => JSON.parse(text)),
        }),
        ...(options.taxRate && { [PRICES_ENTERED_AS]: joi.valid(...PRICES_ENTERED) }),
      },
      ...inputs.map(([name, { fields }]) => fields(name, place)),
    ),
    needsProof: proof !== undefined,
    maxFileBytes: operation.upload?.maxBytes,
    concurrent: operation.concurrent,
    called: Object.assign({ ...options.called }, ...inputs.map(([name, { called }]) => called(name))),
    async submit(ctx, deps, { at, nav, data }, prove) {
      const submitted = ctx.state.body as Submitted & { form_id?: string; confirmed?: 'yes' | 'no' };
      operation.authorize?.(ctx.state.principal);
      if (submitted.confirmed === 'no') throw new ReturnedToForm();
      const proceed = async (sent: Sent<Body, Data>): Promise<void> => {
        const { body } = sent;
        // The operation rejects stale versions, so they need no confirmation.
        const isStale = version && Number(submitted.version) !== version(data);
        const ask = async (again: boolean): Promise<boolean> => {
          const confirmation = await confirm!(sent, deps);
          if (confirmation && 'effects' in confirmation) showConfirmation(ctx, confirmation, again);
          else if (confirmation) showSection(ctx, confirmation);
          return confirmation !== null;
        };
        if (confirm && !submitted.confirmed && !isStale && (await ask(false))) return;
        let result: Result;
        try {
          result = await run(
            operation,
            {
              body,
              ...(options.params && { params: options.params(submitted, ctx) as never }),
              file: operation.upload ? readUpload(ctx) : null,
              idempotency: submitted.form_id ? formIdempotencyKey(ctx) : null,
              version: version ? Number(submitted.version) : null,
            },
            { ctx },
            deps,
          );
        } catch (error) {
          if (confirm && showedOtherAmount(error) && (await ask(true))) return;
          throw error;
        }
        if (leave) return leave(result, sent, deps);
        const shown = show?.(result, sent);
        if (shown) return showSection(ctx, { at: nav, ...shown });
        const next = pathIn(ctx, to ? to(result, { params: ctx.params, submitted }) : at);
        if (notice) redirectWithNotice(ctx, next, notice(result, sent));
        else ctx.redirect(next);
      };
      const read = async () => ({ body: await readBody(submitted, data, ctx, deps), data, ctx });
      if (proof === true) {
        if (asksForOwnSignIn(ctx, ownSignIn && true, null)) return showOwnSignIn(ctx, nav);
        return prove(ctx, async () => proceed(await read()));
      }
      const sent = await read();
      if (!proof?.(sent)) return proceed(sent);
      if (asksForOwnSignIn(ctx, ownSignIn, sent)) return showOwnSignIn(ctx, nav);
      await prove(ctx, () => proceed(sent));
    },
    Inputs,
    Open: ({ page, children }) => (
      <FormElement
        ctx={page.ctx}
        action={pathIn(page.ctx, page.at + path) + (options.keepsQuery ? page.ctx.search : '')}
        class={['card', options.wide && 'wide', options.part && 'part'].filter(Boolean).join(' ')}
        once
      >
        {children}
        <Content page={page} />
        <button class={options.rare ? 'danger' : undefined}>{wordIn(options.button, page)}</button>
      </FormElement>
    ),
    Closed({ page, children }) {
      const { ctx, at } = page;
      const button = wordIn(options.button, page);
      return (
        <ClosedForm
          ctx={ctx}
          action={pathIn(ctx, at + path)}
          summary={wordIn(options.summary ?? button, page)}
          button={button}
          rare={options.rare}
        >
          <Content page={page}>{children}</Content>
        </ClosedForm>
      );
    },
    Drawer({ page, quiet, rare = options.rare, icon, children }) {
      const { ctx, at } = page;
      if (!maySend(ctx)) return null;
      const action = pathIn(ctx, at + path);
      const label = wordIn(options.summary ?? options.button, page);
      return (
        <Drawer
          ctx={ctx}
          action={action}
          label={label}
          quiet={quiet}
          rare={rare}
          icon={icon ?? (quiet || options.of ? undefined : 'plus')}
        >
          <FormElement ctx={ctx} action={action + (options.keepsQuery ? ctx.search : '')} once>
            <Content page={page}>{children}</Content>
            <button class={options.rare ? 'danger' : undefined}>{wordIn(options.button, page)}</button>
          </FormElement>
        </Drawer>
      );
    },
    Opener({ page, quiet }) {
      const { ctx, at } = page;
      const label = wordIn(options.summary ?? options.button, page);
      return (
        maySend(ctx) && (
          <DrawerButton ctx={ctx} action={pathIn(ctx, at + path)} label={label} quiet={quiet} icon="plus" />
        )
      );
    },
    Button: ({ page, label = wordIn(options.button, page), quiet, target }) => (
      <FormElement
        ctx={page.ctx}
        action={pathIn(page.ctx, page.at + path)}
        class="actions"
        target={target}
        once
      >
        <Inputs page={page} />
        <button class={quiet && 'quiet'}>{label}</button>
      </FormElement>
    ),
    InRow({ page, of = {} }) {
      const { ctx, at } = page;
      const action = pathIn(ctx, pathOfPage({ path: at + path }, of));
      const button = wordIn(options.button, page);
      const label = wordIn(options.summary ?? button, page);
      return (
        <Drawer ctx={ctx} action={action} label={label} quiet rare={options.rare}>
          <FormElement ctx={ctx} action={action} once>
            {options.explains && <p>{options.explains}</p>}
            <button class={options.rare ? 'danger' : undefined}>{button}</button>
          </FormElement>
        </Drawer>
      );
    },
  };
}
