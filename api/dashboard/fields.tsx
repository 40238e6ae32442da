import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { RefusalOfForm } from './form.js';

/** What a field shows: what was typed where its form was refused, else what it holds by itself; and what is wrong. */
function useField(name: string) {
  const refusal = useContext(RefusalOfForm);
  const problems = refusal?.problems.filter(({ field }) => field === name) ?? [];
  const typed = refusal && [refusal.typed[name] ?? []].flat();
  const marks = problems.length > 0 && { 'aria-invalid': true, 'aria-describedby': `${name}-problem` };
  return { typed, problems, marks: marks || {} };
}

function Problems({ name }: { name: string }) {
  const { problems } = useField(name);
  if (problems.length === 0) return null;
  return (
    <p class="alert" id={`${name}-problem`}>
      {problems.map(({ words }) => words).join(' ')}
    </p>
  );
}

interface Named {
  name: string;
  label: string;
}

/** A line of text, with its label. */
export function TextField({ name, label, value, ...rest }: Named & InputHTMLAttributes) {
  const { typed, marks } = useField(name);
  return (
    <>
      <label for={name}>{label}</label>
      <input {...rest} {...marks} id={name} name={name} value={typed ? typed[0] : value} />
      <Problems name={name} />
    </>
  );
}

/** Lines of text, with their label. */
export function TextArea({ name, label, ...rest }: Named & TextareaHTMLAttributes) {
  const { typed, marks } = useField(name);
  return (
    <>
      <label for={name}>{label}</label>
      <textarea {...rest} {...marks} id={name} name={name} value={typed?.[0]} />
      <Problems name={name} />
    </>
  );
}

/** A box to tick, or one of several of which one is chosen. */
export function Choice(props: {
  type?: 'checkbox' | 'radio';
  name: string;
  value?: string;
  checked?: boolean;
  children: ComponentChildren;
}) {
  const { type = 'checkbox', name, value = 'on', checked, children } = props;
  const { typed } = useField(name);
  return (
    <label class="choice">
      <input type={type} name={name} value={value} checked={typed ? typed.includes(value) : checked} />{' '}
      {children}
    </label>
  );
}

interface Choosing extends Named {
  /** Each value and what it is called. */
  options: (readonly [value: string, called: string])[];
  chosen: readonly string[];
}

/** Several values to choose among, all in sight. */
export function Choices({ type, name, label, options, chosen }: Choosing & { type?: 'radio' }) {
  const { marks } = useField(name);
  return (
    <fieldset id={name} {...marks}>
      <legend>{label}</legend>
      {options.map(([value, called]) => (
        <Choice key={value} type={type} name={name} value={value} checked={chosen.includes(value)}>
          {called}
        </Choice>
      ))}
      <Problems name={name} />
    </fieldset>
  );
}

/** Values to choose among in a list; of `size` lines where several may be chosen. */
export function Select({ name, label, options, chosen, size }: Choosing & { size?: number }) {
  const { typed, marks } = useField(name);
  return (
    <>
      <label for={name}>{label}</label>
      <select id={name} name={name} required={!size} multiple={Boolean(size)} size={size} {...marks}>
        {options.map(([value, called]) => (
          <option key={value} value={value} selected={(typed ?? chosen).includes(value)}>
            {called}
          </option>
        ))}
      </select>
      <Problems name={name} />
    </>
  );
}
