import joi from 'joi';
import { MAX_TERMS_BYTES, MAX_TERMS_TEXT, TERMS_KINDS } from '../../../domain/booking-page/booking-page.js';
import { TERMS_TYPE } from '../../../domain/rooms/picture.js';
import { uploadTerms, type ShownPage } from '../../../api/resources/booking-page/operations.js';
import { object } from '../../../api/http/typed.js';
import { termsVersion } from '../../../api/resources/booking-page/operations.js';
import { action, form } from '../forms/form.js';
import type { Input } from '../forms/inputs.js';
import type { PageProps } from '../forms/page.js';
import { Choices, TextArea, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { pathIn } from '../shared/paths.js';

export interface WithTerms {
  page: ShownPage;
  /** The text, if the terms are a text. */
  termsText: string | null;
  hasUploads: boolean;
}

const FIELDS = { url: 'terms.url', text: 'terms.text', version: 'terms.version' };

/** The terms: none, a page of the operator's, a text, or the uploaded PDF. */
export const terms: Input<WithTerms> = {
  fields: (name) => ({
    [name]: joi.valid('none', ...TERMS_KINDS),
    [FIELDS.url]: joi.string().trim().allow(''),
    [FIELDS.text]: joi.string().trim().allow(''),
    [FIELDS.version]: joi.string().trim().allow(''),
  }),
  read(name, form) {
    const entered = (field: string): string => [form[field] ?? []].flat()[0] ?? '';
    const version = entered(FIELDS.version) || undefined;
    const url = entered(FIELDS.url);
    switch (form[name] ?? (url ? 'url' : 'none')) {
      case 'url':
        return { [name]: { url, version } };
      case 'text':
        return { [name]: { text: entered(FIELDS.text).replaceAll('\r\n', '\n'), version } };
      case 'file':
        return { [name]: { version } };
      default:
        return { [name]: null };
    }
  },
  Show({ name, shown: { data } }) {
    const now = data.page.terms;
    const kinds = [
      ['none', 'None'],
      ['url', 'A page of yours'],
      ['text', 'Text'],
      ...(now?.kind === 'file' ? [['file', 'The uploaded PDF'] as const] : []),
    ] as const;
    return (
      <>
        <Choices type="radio" name={name} label="Terms" options={kinds} chosen={[now?.kind ?? 'none']} />
        <div data-chooses={`[name=${name}][value=url]`}>
          <TextField
            name={FIELDS.url}
            label="Terms URL"
            optional={false}
            type="url"
            value={now?.kind === 'url' ? now.url : ''}
          />
        </div>
        <div data-chooses={`[name=${name}][value=text]`}>
          <TextArea
            name={FIELDS.text}
            label="Text of the terms"
            optional={false}
            rows={6}
            maxLength={MAX_TERMS_TEXT}
            value={data.termsText ?? ''}
          />
        </div>
        <TextField
          name={FIELDS.version}
          label="Terms version, such as 2026-05"
          optional={false}
          maxLength={50}
          value={now?.version ?? ''}
        />
        <p class="hint">Give changed terms a new version. Earlier versions stay readable.</p>
        {now && now.kind !== 'url' && (
          <p>
            <a href={now.url}>View the terms</a>
          </p>
        )}
      </>
    );
  },
  wide: () => true,
  called: () => ({
    [FIELDS.url]: 'terms URL',
    [FIELDS.text]: 'text of the terms',
    [FIELDS.version]: 'terms version',
  }),
};

export const uploadForm = form(
  action({
    capability: 'write_workspace',
    body: object({ version: termsVersion }, 'version'),
    upload: { types: [TERMS_TYPE], maxBytes: MAX_TERMS_BYTES },
    run: ({ body, ...input }, caller, deps) =>
      uploadTerms.run({ ...input, body: undefined, query: body, params: {} }, caller, deps),
  }),
  { version: { label: 'Version, such as 2026-05' } },
  {
    path: '/terms',
    button: 'Upload',
    called: { version: 'terms version' },
    notice: () => 'The terms have been saved.',
  },
);

/** Uploads a PDF, which becomes the terms of a page that is set up. */
export function TermsUpload({ page }: { page: PageProps<WithTerms> }) {
  const { ctx, at, data } = page;
  if (!data.hasUploads || !data.page.slug) return null;
  return (
    <div class="card wide">
      <h2>Terms as PDF</h2>
      <Form ctx={ctx} action={pathIn(ctx, at + uploadForm.path)} file>
        <uploadForm.Inputs page={page} />
        <label for="picture">PDF, at most 5 MB</label>
        <input id="picture" name="picture" type="file" accept={TERMS_TYPE} required />
        <button>Upload</button>
      </Form>
    </div>
  );
}
