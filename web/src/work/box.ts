/** The size of a task in the drawing, which its style has too. */
export const boxWidth = 210;
export const boxHeight = 104;
