// Nothing to call: the library is preloaded (ld.so(8), LD_PRELOAD) into a program under test.
#pragma once
