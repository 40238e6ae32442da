import { listOfferedRooms } from '../../../db/queries/booking-page/offered-room.js';
import { findBookingPage } from '../../../db/queries/booking-page/booking-page.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { whyNotTakePayments } from '../../../domain/processor/refusals.js';
import { QUESTION_KINDS, type Question } from '../../../domain/booking-page/booking-page.js';
import { presentBookingPage } from '../../../domain/booking-page/page-presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { embedSnippet } from '../../booking-page/embedding.js';
import { Secret } from '../../ui/copy.js';
import { pathIn } from '../shared/api-form.js';
import { Choice, Choices, TextArea, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { LANGUAGE_OPTIONS } from '../shared/language-options.js';
import { showSection } from '../shared/workspace.js';
import { EMPTY_QUESTIONS } from './page-form.js';

type Shown = ReturnType<typeof presentBookingPage>;

const KIND_NAMES: Record<Question['kind'], string> = { text: 'Text', choice: 'Choice', check: 'Checkbox' };

/** The questions as rows of a table, and empty ones for more. */
function QuestionRows({ ctx, questions }: { ctx: ApiContext; questions: Question[] }) {
  const { rejection } = ctx.state;
  const submitted = (name: string, n: number) => rejection && [rejection.submitted[name] ?? []].flat()[n];
  const rows = rejection
    ? [rejection.submitted.label ?? []].flat().length
    : questions.length + EMPTY_QUESTIONS;
  return (
    <table class="inputs">
      <thead>
        <tr>
          <th>Question</th>
          <th>Kind</th>
          <th>Required</th>
          <th>Choices, with ; between them</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: rows }, (_, n) => {
          const question = questions[n];
          const chosen = submitted('kind', n) ?? question?.kind ?? 'text';
          const required = submitted('required', n) ?? (question?.required ? 'yes' : 'no');
          return (
            <tr key={n}>
              <td>
                <input
                  type="hidden"
                  name="question_id"
                  value={submitted('question_id', n) ?? question?.id ?? ''}
                />
                <input
                  name="label"
                  id={n === 0 ? 'label' : undefined}
                  aria-label={`Question ${n + 1}`}
                  maxLength={200}
                  value={submitted('label', n) ?? question?.label ?? ''}
                />
              </td>
              <td>
                <select name="kind" aria-label={`Kind of question ${n + 1}`}>
                  {QUESTION_KINDS.map((kind) => (
                    <option key={kind} value={kind} selected={kind === chosen}>
                      {KIND_NAMES[kind]}
                    </option>
                  ))}
                </select>
              </td>
              <td>
                <select name="required" aria-label={`Whether question ${n + 1} is required`}>
                  {['no', 'yes'].map((each) => (
                    <option key={each} value={each} selected={each === required}>
                      {each === 'yes' ? 'Yes' : 'No'}
                    </option>
                  ))}
                </select>
              </td>
              <td>
                <input
                  name="choices"
                  id={n === 0 ? 'choices' : undefined}
                  aria-label={`Choices of question ${n + 1}`}
                  maxLength={500}
                  value={submitted('choices', n) ?? question?.choices.join('; ') ?? ''}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What to put into a site, with a button that copies it. */
function Embed({ page, publicUrl }: { page: Shown; publicUrl: string }) {
  if (!page.slug) return null;
  return (
    <div class="card wide">
      <h2>On your own site</h2>
      {page.embed_origins.length === 0 ? (
        <p>
          To show the page in a frame on your site, enter the site below first. Then this says what to put
          into it.
        </p>
      ) : (
        <>
          <p>
            Put this where the booking page is to be. It works on {page.embed_origins.join(', ')}; other sites
            cannot show the page.
          </p>
          <Secret id="embed-snippet">{embedSnippet(publicUrl, page.slug)}</Secret>
        </>
      )}
    </div>
  );
}

function Address({ page }: { page: Shown }) {
  if (!page.url)
    return <p>Choose an address below. People can then book and pay there without an account.</p>;
  return (
    <p>
      <a href={page.url}>{page.url}</a>
      {!page.enabled && ' is switched off.'}
    </p>
  );
}

/** `GET /dashboard/:workspace/booking-page`: the page on which people book by themselves. */
export function showBookingPage({ db, publicUrl }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const page = presentBookingPage(await findBookingPage(db.manager, workspace_id), publicUrl);
    const workspace = await findWorkspace(db.manager, workspace_id);
    const rooms = await listOfferedRooms(db.manager, { workspace_id, room_ids: null });
    showSection(ctx, {
      title: 'Booking page',
      at: '/booking-page',
      children: (
        <>
          <Address page={page} />
          {whyNotTakePayments(workspace!) && (
            <p class="alert">
              People can book only what is free until{' '}
              <a href={pathIn(ctx, '/processor')}>card payments are set up</a>: the page cannot take payments.
            </p>
          )}
          <Embed page={page} publicUrl={publicUrl} />
          <Form class="card wide" ctx={ctx} action={pathIn(ctx, '/booking-page')} once>
            <TextField
              name="slug"
              label={`Address: ${publicUrl}/book/…`}
              required
              minLength={3}
              maxLength={60}
              value={page.slug ?? ''}
            />
            <Choice name="enabled" checked={page.slug === null || page.enabled}>
              People can book on the page
            </Choice>
            <fieldset>
              <legend>Rooms on the page</legend>
              <Choice type="radio" name="rooms" value="all" checked={page.room_ids === null}>
                All rooms that guests can book
              </Choice>
              <Choice type="radio" name="rooms" value="some" checked={page.room_ids !== null}>
                Only these:
              </Choice>
              <Choices
                name="room_ids"
                label="Rooms"
                options={rooms.map(({ id, name }) => [id, name] as const)}
                chosen={page.room_ids ?? []}
              />
              <p class="hint">Rooms that are for members of some plans only are never on the page.</p>
            </fieldset>
            <TextArea name="notice" label="Text at the top (optional)" rows={3} value={page.notice ?? ''} />
            <TextField
              name="hold_minutes"
              label="How long a room is held until it is paid (minutes)"
              inputMode="decimal"
              required
              value={String(page.guest_hold_seconds / 60)}
            />
            <Choices
              name="languages"
              label="Languages that visitors can choose (all, if none is selected)"
              options={LANGUAGE_OPTIONS}
              chosen={page.languages}
            />
            <h2>Questions</h2>
            <QuestionRows ctx={ctx} questions={page.questions} />
            <p class="hint">
              Rows without a question are ignored. The answers are on the booking, here and in the API.
            </p>
            <h2>Terms</h2>
            <div class="grid">
              <div>
                <TextField
                  name="terms_url"
                  label="Your terms (URL, optional)"
                  type="url"
                  value={page.terms?.url ?? ''}
                />
              </div>
              <div>
                <TextField
                  name="terms_version"
                  label="Version, such as 2026-05"
                  maxLength={50}
                  value={page.terms?.version ?? ''}
                />
              </div>
            </div>
            <h2>Look</h2>
            <div class="grid">
              <div>
                <TextField
                  name="accent"
                  label="Colour of buttons, such as #1e5f7f (optional)"
                  value={page.theme.accent ?? ''}
                />
              </div>
              <div>
                <TextField
                  name="logo_url"
                  label="Logo (https URL, optional)"
                  type="url"
                  value={page.theme.logo_url ?? ''}
                />
              </div>
            </div>
            <TextArea
              name="embed_origins"
              label={
                'Sites that may show the page in a frame, such as https://www.example.com (one on ' +
                'each line, optional)'
              }
              rows={3}
              value={page.embed_origins.join('\n')}
            />
            <button>Save</button>
          </Form>
        </>
      ),
    });
  };
}
