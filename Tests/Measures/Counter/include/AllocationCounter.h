#pragma once

/// How often this process has asked for memory.
long allocation_count(void);
