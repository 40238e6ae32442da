import type { ComponentChildren } from 'preact';
import type joi from 'joi';
import type { Typed } from '../../../api/http/typed.js';
import { inputOf, textFields } from './declared-fields.js';
import { TextArea, TextField } from './fields.js';

/** How people enter and read one field of an operation's body. */
export interface DeclaredInput {
  label: string;
  type?: 'email' | 'url' | 'number';
  /** The height of a field of several lines. */
  rows?: number;
  /** In place of what the schema says: a PATCH requires no field, but its form can. */
  required?: boolean;
  /** How its value is shown among the facts of the object; false if it is not. */
  fact?: ((value: string) => ComponentChildren) | false;
  /** What is shown among the facts if it has no value. */
  none?: ComponentChildren;
}

type Value = string | number | null | undefined;

/** The fields of a declared form as they are submitted. */
export type Entered<Form extends { body: (form: never) => unknown }> = Parameters<Form['body']>[0];

/** A number, or null for an empty field; other text is kept for the operation's schema to refuse. */
export function numberEntered(text: string | undefined): number | string | null {
  if (!text) return null;
  return /^-?\d{1,9}(\.\d{1,4})?$/.test(text.trim()) ? Number(text) : text;
}

function valueEntered(field: joi.Schema, text: string | undefined): Value {
  if (field.type === 'number') return numberEntered(text);
  const value = text?.replaceAll('\r\n', '\n');
  return value || field.validate(null).error ? value : null;
}

/**
 * Fields of an operation's body as a form and as facts, declared once: names and limits are those of the body's `schema`,
 * the words are the page's.
 */
export function declaredForm<Body, Name extends keyof Body & string>(
  schema: Typed<Body, joi.ObjectSchema>,
  inputs: Record<Name, DeclaredInput>,
) {
  const entries = Object.entries(inputs) as [Name, DeclaredInput][];
  const names = entries.map(([name]) => name);
  return {
    labels: entries.map(([name, { label }]) => [name, label] as const),
    /** The form's fields, for `pageForm`. */
    fields: textFields(schema, ...names),
    /** The fields' part of the body. An empty field is null where the body can have null. */
    body: (form: { [N in Name]?: string }) =>
      Object.fromEntries(names.map((name) => [name, valueEntered(schema.extract(name), form[name])])) as {
        [N in Name]: Value;
      },
    /** The fields that were entered and differ from those of `of`. */
    changes: (form: { [N in Name]?: string }, of: { [N in Name]: Value }) =>
      Object.fromEntries(
        names.flatMap((name) => {
          if (form[name] === undefined) return [];
          const field = schema.extract(name);
          const value = valueEntered(field, form[name]);
          return value === valueEntered(field, String(of[name] ?? '')) ? [] : [[name, value]];
        }),
      ),
    /** The inputs with the values of `of`, in a column or side by side. */
    Inputs({ of, grid }: { of?: { [N in Name]?: Value }; grid?: boolean }) {
      const inputs = entries.map(([name, { label, type, rows, required }]) => {
        const { required: isRequired, ...limits } = inputOf(schema, name);
        const input = { ...limits, required: required ?? isRequired, label, value: of?.[name] ?? '' };
        // Preact's attributes are a union by `type`, which this is one of.
        if (!rows) return <TextField key={name} {...input} type={type as 'text'} />;
        return <TextArea key={name} {...input} rows={rows} />;
      });
      return grid ? (
        <div class="grid">
          {inputs.map((input) => (
            <div key={input.key}>{input}</div>
          ))}
        </div>
      ) : (
        <>{inputs}</>
      );
    },
    /** The names and values of an object that has the fields. */
    facts: (of: { [N in Name]: Value }): (readonly [string, ComponentChildren])[] =>
      entries.flatMap(([name, { label, fact = (value: string) => value, none }]) => {
        if (!fact) return [];
        const value = of[name];
        const shown = value === null || value === undefined ? none : fact(String(value));
        return shown ? [[label, shown] as const] : [];
      }),
  };
}
