-- True if a JSON value is another one with some parts replaced by null, and nothing else changed.
CREATE OR REPLACE FUNCTION is_reduction(reduced jsonb, original jsonb) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF reduced = original OR reduced = 'null' THEN
    RETURN true;
  ELSIF jsonb_typeof(reduced) = 'object' AND jsonb_typeof(original) = 'object' THEN
    RETURN ARRAY(SELECT jsonb_object_keys(reduced) ORDER BY 1) = ARRAY(SELECT jsonb_object_keys(original)
      ORDER BY 1)
      AND (SELECT bool_and(is_reduction(value, original -> key)) FROM jsonb_each(reduced));
  ELSIF jsonb_typeof(reduced) = 'array' AND jsonb_typeof(original) = 'array' THEN
    RETURN jsonb_array_length(reduced) = jsonb_array_length(original)
      AND (SELECT bool_and(is_reduction(value, original -> (n - 1)::integer))
           FROM jsonb_array_elements(reduced) WITH ORDINALITY e (value, n));
  END IF;
  RETURN false;
END $$;
