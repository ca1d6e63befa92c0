type Names<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Names<Rest> : Text;

/** Columns of one type, by their names in one text: `Columns<'id title'>`, `Columns<'created_at', number>`. */
export type Columns<Text extends string, Type = string> = { [Name in Names<Text>]: Type };
