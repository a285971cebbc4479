#pragma once

/// How often this process has asked for memory.
long allocation_count(void);

/// Does nothing: the place where a program that looks on, such as callgrind, begins to count anew.
void cost_mark(void);
